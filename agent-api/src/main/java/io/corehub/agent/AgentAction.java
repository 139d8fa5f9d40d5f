package io.corehub.agent;

/** What an agent can do on demand, beside writing. A host offers what the agent's kind has. */
public enum AgentAction {
  /** {@link TargetAgent#recreateTable}: a table leaves the target, so that it is loaded anew. */
  RECREATE_TABLE,

  /** {@link TargetAgent#handOver}: another pipeline goes on with the tables. */
  HAND_OVER,

  /**
   * {@link TargetAgent#probe}: what is taken for granted of the target is put to the test there.
   */
  PROBE_TARGET
}
