package io.corehub.agent;

import java.util.Objects;

/**
 * What an agent wants to remember across restarts beside the position. Opaque to the hub, small (at
 * most a few hundred bytes for each table). Immutable.
 *
 * @param text JSON text; empty for none
 */
public record AgentState(String text) {

  /** Nothing to remember. */
  public static final AgentState NONE = new AgentState("");

  /** Checks the text. */
  public AgentState {
    Objects.requireNonNull(text, "text");
  }
}
