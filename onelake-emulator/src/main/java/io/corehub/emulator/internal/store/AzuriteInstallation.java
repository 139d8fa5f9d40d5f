package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pinned Azurite, installed once per user by {@code npm ci} from the lock file in this jar. The
 * folder is {@code ~/.cache/core-hub/azurite-VERSION}, or what the system property {@value
 * #DIRECTORY_PROPERTY} names.
 */
final class AzuriteInstallation {
  static final String DIRECTORY_PROPERTY = "corehub.azurite.directory";

  private static final Logger LOG = LoggerFactory.getLogger(AzuriteInstallation.class);
  private static final String VERSION = "3.35.0";
  private static final String RESOURCES = "/io/corehub/emulator/azurite/";
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "launch.js");
  private static final int INSTALL_MINUTES = 10;
  private static final String ADVICE =
      " Install Node.js 18 or newer, or use the storage backend directory or memory.";

  private AzuriteInstallation() {}

  /** The folder that holds {@code launch.js}; installs first when need be. */
  static Path ready() throws IOException {
    Path home =
        Path.of(
            System.getProperty(
                DIRECTORY_PROPERTY,
                Path.of(System.getProperty("user.home"), ".cache", "core-hub", "azurite-" + VERSION)
                    .toString()));
    Path installed = home.resolve("installed");
    if (Files.exists(installed.resolve("launch.js"))) {
      return installed;
    }
    Files.createDirectories(home);
    try (FileChannel channel =
            FileChannel.open(
                home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      LOG.debug("Holding {} while installing", lock);
      if (!Files.exists(installed.resolve("launch.js"))) {
        install(home, installed);
      }
    }
    return installed;
  }

  private static void install(Path home, Path installed) throws IOException {
    LOG.info("Installing Azurite {} into {}", VERSION, home);
    Path draft = home.resolve("draft");
    DirectoryStore.deleteTree(draft);
    Files.createDirectories(draft);
    for (String name : FILES) {
      try (InputStream in =
          Objects.requireNonNull(
              AzuriteInstallation.class.getResourceAsStream(RESOURCES + name), name)) {
        Files.copy(in, draft.resolve(name));
      }
    }
    Path log = home.resolve("npm.log");
    Process npm;
    try {
      npm =
          new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
              .directory(draft.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new IOException("The azurite backend needs npm, which was not found." + ADVICE, e);
    }
    npm.getOutputStream().close();
    try {
      if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
        throw new IOException(
            "npm ci could not install Azurite "
                + VERSION
                + "; see "
                + log
                + ":\n"
                + lastLines(Files.readString(log, StandardCharsets.UTF_8)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while npm installed Azurite");
    } finally {
      npm.destroyForcibly();
    }
    DirectoryStore.deleteTree(installed);
    Files.move(draft, installed, StandardCopyOption.ATOMIC_MOVE);
  }

  static IOException noNode(IOException cause) {
    return new IOException("The azurite backend needs node, which was not found." + ADVICE, cause);
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
  }
}
