package io.corehub.cycles;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one logger of the agent: what it says concerns the agent, not a class of it. */
final class Logs {

  static final Logger LOG = LoggerFactory.getLogger(CycleFilesProvider.class);

  private Logs() {}
}
