package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of libraries in the package is that of the libraries in the package. */
class SbomTest {

  private static final Path PACKAGE = Path.of("../core-hub/target/hub");

  private static JsonNode sbom;

  @BeforeAll
  static void read() throws IOException {
    String mode = System.getProperty("build.mode", "");
    assumeFalse(mode.contains("true"), "a build that is " + mode + " writes no list");
    sbom = Emulator.JSON.readTree(PACKAGE.resolve("sbom.json").toFile());
  }

  @Test
  void namesEveryJarWithItsChecksum() throws Exception {
    Map<String, String> listed = new TreeMap<>();
    for (JsonNode component : sbom.get("components")) {
      listed.put(jar(component), sha256(component));
    }
    Map<String, String> shipped = new TreeMap<>();
    try (Stream<Path> jars = Files.list(PACKAGE.resolve("lib"))) {
      for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
        shipped.put(jar.getFileName().toString(), sha256(jar));
      }
    }
    // The hub itself is what the list is about, not a library of it.
    shipped.remove(jar(sbom.get("metadata").get("component")));
    assertThat(listed).isEqualTo(shipped);
  }

  @Test
  void namesTheLicenceOfEveryLibrary() {
    for (JsonNode component : sbom.get("components")) {
      assertThat(component.path("licenses")).as(jar(component)).isNotEmpty();
    }
  }

  private static String jar(JsonNode component) {
    String purl = component.get("purl").asText();
    int classifier = purl.indexOf("classifier=");
    return component.get("name").asText()
        + "-"
        + component.get("version").asText()
        + (classifier < 0 ? "" : "-" + purl.substring(classifier + 11).replaceAll("&.*", ""))
        + ".jar";
  }

  private static String sha256(JsonNode component) {
    for (JsonNode hash : component.path("hashes")) {
      if (hash.get("alg").asText().equals("SHA-256")) {
        return hash.get("content").asText();
      }
    }
    return "no SHA-256";
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
