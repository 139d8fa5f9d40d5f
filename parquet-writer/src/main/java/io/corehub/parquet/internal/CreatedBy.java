package io.corehub.parquet.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The name that files carry as their writer's. */
final class CreatedBy {

  // Readers distrust the bounds of strings unless this reads "<name> version <version> (build …)".
  private static final String TEXT = "core-hub version " + version() + " (build 0)";

  private CreatedBy() {}

  static String text() {
    return TEXT;
  }

  private static String version() {
    try (InputStream in =
        Objects.requireNonNull(
            CreatedBy.class.getResourceAsStream("version.properties"), "version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read version.properties of parquet-writer", e);
    }
  }
}
