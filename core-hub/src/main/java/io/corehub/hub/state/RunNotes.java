package io.corehub.hub.state;

import java.util.Map;
import java.util.Optional;

/**
 * What a run leaves for somebody who asks while no run answers. Immutable.
 *
 * @param phase what the pipeline was doing when this was written, in one word
 * @param problem why it failed, with advice
 * @param stopped tables that stopped in it, and why
 */
public record RunNotes(String phase, Optional<String> problem, Map<String, String> stopped) {

  /** Nothing is known of a run. */
  public static final RunNotes NONE = new RunNotes("", Optional.empty(), Map.of());

  /** Copies the map. */
  public RunNotes {
    stopped = Map.copyOf(stopped);
  }
}
