package io.corehub.emulator.internal.store;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Azurite blob service. It ends with this JVM, however that ends. */
final class AzuriteProcess implements Closeable {
  private static final Pattern LISTENING =
      Pattern.compile("successfully listen\\w* (?:at|on) (http://\\S+)");
  private static final Logger LOG = LoggerFactory.getLogger(AzuriteProcess.class);
  private static final int STOP_SECONDS = 10;

  private final Process process;
  private final String url;

  private AzuriteProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts Azurite on a free port.
   *
   * @param location where it keeps its data
   */
  static AzuriteProcess start(Path location) throws IOException {
    Path installation = AzuriteInstallation.ready();
    Files.createDirectories(location);
    Process process;
    try {
      process =
          new ProcessBuilder(
                  "node",
                  installation.resolve("launch.js").toString(),
                  "--blobHost",
                  "127.0.0.1",
                  "--blobPort",
                  "0",
                  "--location",
                  location.toString(),
                  "--silent",
                  "--disableProductStyleUrl",
                  "--disableTelemetry")
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw AzuriteInstallation.noNode(e);
    }
    List<String> said = new ArrayList<>();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null) {
      said.add(line);
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        drain(out);
        return new AzuriteProcess(process, listening.group(1));
      }
      line = out.readLine();
    }
    process.destroyForcibly();
    throw new IOException("Azurite did not start:\n" + String.join("\n", said));
  }

  /** Such as {@code http://127.0.0.1:40123}. */
  String url() {
    return url;
  }

  /** Lets Azurite save its index and ends it. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while Azurite stopped");
    }
  }

  /** Whatever else it prints must not fill the pipe. */
  private static void drain(BufferedReader out) {
    Thread reader =
        new Thread(
            () -> {
              try (out) {
                String line = out.readLine();
                while (line != null) {
                  line = out.readLine();
                }
              } catch (IOException e) {
                LOG.debug("Azurite's output ended", e);
              }
            },
            "azurite-output");
    reader.setDaemon(true);
    reader.start();
  }
}
