package io.corehub.agent;

import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.Objects;

/**
 * A table an agent is to write. Immutable.
 *
 * @param schema its columns and key as they are now
 * @param settings its own settings, of {@link AgentDescriptor#tableSettings()}
 */
public record TableSpec(TableSchema schema, Settings settings) {

  /** Checks the parts. */
  public TableSpec {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(settings, "settings");
  }

  /**
   * The table.
   *
   * @return its identity
   */
  public TableId table() {
    return schema.table();
  }
}
