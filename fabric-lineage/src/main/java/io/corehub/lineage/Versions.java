package io.corehub.lineage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * What versions run. Immutable.
 *
 * @param product of this library
 * @param client of the OpenLineage client
 */
record Versions(String product, String client) {

  private static final String UNKNOWN = "unknown";

  /** What the jars say of themselves. */
  static Versions ofJars() {
    return new Versions(
        version("/META-INF/maven/io.corehub/fabric-lineage/pom.properties"),
        version("/META-INF/maven/io.openlineage/openlineage-java/pom.properties"));
  }

  private static String version(String resource) {
    try (InputStream in = Versions.class.getResourceAsStream(resource)) {
      if (in == null) {
        return UNKNOWN;
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Who sends the events. */
  String producer() {
    return "urn:corehub:fabric-lineage:" + product;
  }
}
