package io.corehub.testkit;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.TableId;
import java.util.Optional;

/**
 * A target that a contract test writes to through agents, reads back, and gets in the way of.
 * Thread-safe.
 *
 * <p>An agent's test implements it over an in-memory store or an emulator. A new one is empty and
 * ready for a first start.
 */
public interface TestTarget extends AutoCloseable {

  /**
   * The agent under test.
   *
   * @return its description
   */
  AgentDescriptor descriptor();

  /**
   * Creates an agent over this target, as a newly started process would. It is not opened.
   *
   * @param tuning how to set it up; other settings keep their defaults
   * @param context what the test lends
   * @return the agent; the contract test closes it
   */
  TargetAgent createAgent(AgentTuning tuning, AgentContext context);

  /**
   * Settings of a table.
   *
   * @param tuning how to set it up; other settings keep their defaults
   * @return settings of {@link AgentDescriptor#tableSettings()}
   */
  Settings tableSettings(AgentTuning tuning);

  /**
   * What a reader of the target sees of a table right now, applied as the reader applies it (row
   * markers and all). Also called from within listener calls.
   *
   * @param table the table
   * @return its rows, cells in the forms of {@link CellText}; empty if the reader sees no such
   *     table
   */
  Optional<Rows> readTable(TableId table);

  /**
   * What the target should show of a table.
   *
   * @param model what happened in the source
   * @param table the table
   * @return its rows
   */
  default Rows expected(ReferenceModel model, TableId table) {
    return model.fabricMirror(table);
  }

  /**
   * Whether all tables become visible together, whole commits at a time: what waits for one table
   * waits for all.
   *
   * @return false if each table is published for itself
   */
  default boolean publishesTogether() {
    return false;
  }

  /**
   * Whether a column may change its type: its files each have a schema of their own.
   *
   * @return false if such a table stops
   */
  default boolean followsTypes() {
    return false;
  }

  /**
   * A text that differs whenever anything stored in the target differs: names, sizes and checksums
   * of all files, for example.
   *
   * @return the text
   */
  String contents();

  /**
   * From now on nothing that an agent publishes for this table gets through: the request waits
   * until {@link #release()}, until its thread is interrupted, or until {@link #cutOff()}.
   *
   * @param table the table
   */
  void hold(TableId table);

  /** Lets all held requests go on. */
  void release();

  /**
   * Cuts every agent created so far off for ever, as if its process had died: nothing it does
   * reaches the target any more, not even requests that are waiting. The contract test goes on with
   * a new agent and closes the old one at the end only.
   */
  void cutOff();

  /** Frees what the target holds. */
  @Override
  void close();
}
