package io.corehub.cycles;

import io.corehub.runtime.text.LineLog;
import org.slf4j.Logger;

/** The one logger of the agent: what it says concerns the agent, not a class of it. */
final class Logs {

  static final Logger LOG = LineLog.of(CycleFilesProvider.class);

  private Logs() {}
}
