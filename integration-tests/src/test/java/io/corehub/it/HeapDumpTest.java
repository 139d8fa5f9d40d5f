package io.corehub.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A dump of the heap of a hub that runs holds a secret: the hub needs it for its next sign-in. It
 * holds no more copies than it has uses for, however many requests and failures there were, and
 * none of the secret that is encoded.
 */
@Tag("full")
class HeapDumpTest {

  /** The settings' own, and what is made of it where it is used. */
  private static final int MOST_COPIES = 3;

  /**
   * The one that is kept, the last header, and what the buffers of the runtime's connections and of
   * the identity library's parser still hold of the last answers, which nobody can empty.
   */
  private static final int MOST_COPIES_OF_TOKENS = 8;

  /** Far more files than copies, each of at least three requests with the token. */
  private static final int FILES = 30;

  private static final String WEB_TOKEN = "kN8-door/token+0=";

  @TempDir Path directory;

  @Test
  void aRunningHubKeepsNoMoreCopiesOfASecretThanItUses() throws Exception {
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      emulator.addFaults(
          """
          [{"operation":"token","nth":1,"times":1,
            "fault":{"type":"status","code":503,"errorCode":"90055"}},
           {"operation":"create","nth":1,"times":1,
            "fault":{"type":"status","code":401,"errorCode":"InvalidAuthenticationInfo"}},
           {"operation":"rename","nth":1,"times":1,"fault":{"type":"after"}}]
          """);
      Map<String, String> secrets = new LinkedHashMap<>();
      secrets.put("client secret", emulator.get("clientSecret"));
      secrets.put("token of the status page", WEB_TOKEN);
      try (Hub.Running hub = Hub.start(Map.of(), "run", config(emulator))) {
        Await.until(
            "all files are published",
            () -> emulator.published("orders").size() == FILES,
            hub::errors);
        Path dump = hub.heapDump(directory.resolve("hub.hprof"));
        for (Map.Entry<String, String> secret : secrets.entrySet()) {
          // None would mean that the search finds nothing.
          assertThat(count(dump, plain(secret.getValue())))
              .as("copies of the %s", secret.getKey())
              .isBetween(1, MOST_COPIES);
          assertThat(count(dump, encoded(secret.getValue())))
              .as("encoded copies of the %s", secret.getKey())
              .isZero();
        }
        assertThat(count(dump, plain(token(emulator))))
            .as("copies of tokens for OneLake")
            .isBetween(1, MOST_COPIES_OF_TOKENS);
        assertThat(emulator.firedFaults()).isEqualTo(3);
      }
    }
  }

  private String config(Emulator emulator) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), emulator.get("clientSecret"));
    Files.writeString(directory.resolve("door"), WEB_TOKEN);
    Path config =
        Path.of(
            new Pipeline(directory, emulator)
                .lines(stream())
                .set("cdcBatchMaxSeconds", 0)
                .hub("web: { port: 0, token: \"${file:door}\" }")
                .write());
    Files.writeString(
        config,
        Files.readString(config)
            .replace(emulator.get("clientSecret"), "${file:" + secret.getFileName() + "}"));
    return config.toString();
  }

  private static List<String> stream() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"kind\":\"table\",\"table\":\"orders\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"orders\"}");
    for (int file = 2; file <= FILES; file++) {
      lines.add(
          "{\"kind\":\"commit\",\"position\":"
              + file
              + ",\"changes\":[{\"op\":\"insert\",\"table\":\"orders\",\"after\":{\"id\":1}}]}");
    }
    lines.add("{\"kind\":\"pause\",\"millis\":600000}");
    return lines;
  }

  /** Of the emulator's tokens the part that is the same in all. */
  private static String token(Emulator emulator) {
    String token =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString((emulator.get("clientId") + ".").getBytes(UTF_8));
    return token.substring(0, token.length() / 4 * 4);
  }

  /** As texts and arrays of characters hold it; these of either byte order have the latter form. */
  private static Set<byte[]> plain(String secret) {
    Set<byte[]> forms = new LinkedHashSet<>();
    for (Charset charset : List.of(ISO_8859_1, UTF_16LE)) {
      forms.add(secret.getBytes(charset));
    }
    return forms;
  }

  /** As requests and headers hold it, where that differs. */
  private static Set<byte[]> encoded(String secret) {
    Set<String> texts = new LinkedHashSet<>();
    texts.add(URLEncoder.encode(secret, UTF_8));
    for (int before = 0; before < 3; before++) {
      byte[] bytes = ("x".repeat(before) + secret).getBytes(UTF_8);
      String base64 = Base64.getEncoder().encodeToString(bytes);
      // Only whole groups, which do not depend on the bytes around them.
      texts.add(base64.substring(before == 0 ? 0 : 4, bytes.length / 3 * 4));
    }
    texts.remove(secret);
    Set<byte[]> forms = new LinkedHashSet<>();
    texts.forEach(text -> forms.addAll(plain(text)));
    return forms;
  }

  private static int count(Path file, Set<byte[]> forms) throws IOException {
    int found = 0;
    for (byte[] form : forms) {
      found += count(file, form);
    }
    return found;
  }

  private static int count(Path file, byte[] form) throws IOException {
    byte[] window = new byte[1 << 20];
    int filled = 0;
    int found = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(window); read > 0; ) {
        filled += read;
        int at = 0;
        for (; at + form.length <= filled; at++) {
          if (startsAt(window, at, form)) {
            found++;
          }
        }
        System.arraycopy(window, at, window, 0, filled - at);
        filled -= at;
        read = in.read(window, filled, window.length - filled);
      }
    }
    return found;
  }

  private static boolean startsAt(byte[] bytes, int at, byte[] form) {
    for (int i = 0; i < form.length; i++) {
      if (bytes[at + i] != form[i]) {
        return false;
      }
    }
    return true;
  }
}
