package io.corehub.agent.observe;

import java.util.Objects;
import java.util.Optional;

/**
 * Where the tables of a pipeline come from. Immutable.
 *
 * @param type kind of source, such as {@code postgresql}
 * @param url connection URL of the database without user and password, such as {@code
 *     jdbc:postgresql://db.example.com:5432/shop}; empty if there is none
 * @param schemaOfSchemaless the schema that tables are in which the host names without one; empty
 *     if they have none
 */
public record SourceOrigin(String type, Optional<String> url, Optional<String> schemaOfSchemaless) {

  /** Checks the parts. */
  public SourceOrigin {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(schemaOfSchemaless, "schemaOfSchemaless");
  }
}
