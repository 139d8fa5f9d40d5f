package io.corehub.cycles;

import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.StorageUrl;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.storage.SettingsReading;
import io.corehub.storage.probe.StorageProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Where a job's files go: the connection folder. Immutable. */
sealed interface StoragePlace {

  /**
   * A folder of this machine.
   *
   * @param root the connection folder
   */
  record Folder(Path root) implements StoragePlace {

    /** Appended bytes are part of a local file at once, and no request comes late. */
    private static final Set<StorageProbe> ASSUMPTIONS =
        EnumSet.of(
            StorageProbe.FOLDER_WITH_FILE,
            StorageProbe.CREATE_KEEPS_FILE,
            StorageProbe.RENAME_KEEPS_FILE,
            StorageProbe.RENAME_IS_ATOMIC,
            StorageProbe.RENAME_HAPPENS_ONCE,
            StorageProbe.LIST_IS_CURRENT,
            StorageProbe.APPEND_REPEATS,
            StorageProbe.TAIL_IS_READ,
            StorageProbe.NAMES_STAY);

    @Override
    public Set<StorageProbe> assumptions() {
      return ASSUMPTIONS;
    }

    @Override
    public boolean isAt(String address, HostPolicy hosts) {
      try {
        return isFolder(address)
            && leadsTo(root.toString(), folder(address).toAbsolutePath().normalize().toString());
      } catch (InvalidValueException e) {
        return false; // It names no folder.
      }
    }
  }

  /**
   * A folder in OneLake or of a storage account.
   *
   * @param connection how to reach the folder that the URL names
   * @param path the connection folder as the client takes it; may be empty
   */
  record Remote(OneLakeConnection connection, String path) implements StoragePlace {

    /** Nothing rests on etags: names of files are never used twice. */
    private static final Set<StorageProbe> ASSUMPTIONS =
        EnumSet.complementOf(
            EnumSet.of(
                StorageProbe.ETAG_NAMES_FILE,
                StorageProbe.ETAG_STAYS,
                StorageProbe.DELETE_IF_MATCH));

    @Override
    public Set<StorageProbe> assumptions() {
      return ASSUMPTIONS;
    }

    @Override
    public boolean isAt(String address, HostPolicy hosts) {
      OneLakeUrl url;
      try {
        url = remote(address, hosts);
      } catch (InvalidValueException e) {
        return false; // No place, or none that these settings may speak to.
      }
      OneLakeUrl own = connection.url();
      return url.authority().equals(own.authority())
          && url.fileSystem().equalsIgnoreCase(own.fileSystem())
          && url.item().map(IgnoringCase::of).equals(own.item().map(IgnoringCase::of))
          && leadsTo(path, url.path());
    }

    /** The address of the connection folder for consumers of the files. */
    String address() {
      OneLakeUrl url = connection.url();
      StringBuilder address =
          new StringBuilder("abfss://" + url.fileSystem() + "@" + url.authority());
      url.item().ifPresent(item -> address.append('/').append(item));
      return path.isEmpty() ? address.toString() : address + "/" + path;
    }
  }

  /** What a job takes for granted of it. */
  Set<StorageProbe> assumptions();

  /**
   * Whether an address, as people paste it, is that of the connection folder or of one above it.
   *
   * @param hosts hosts that the settings allow
   */
  boolean isAt(String address, HostPolicy hosts);

  private static boolean leadsTo(String path, String above) {
    return above.isEmpty() || (path + "/").startsWith(above + "/");
  }

  /** How addresses of local folders begin. */
  String FILE = "file:";

  /** Whether a URL is that of a folder of this machine. */
  static boolean isFolder(String url) {
    return url.toLowerCase(Locale.ROOT).startsWith(FILE);
  }

  /**
   * The folder that a {@code file:} URL names.
   *
   * @throws InvalidValueException if it is none
   */
  static Path folder(String url) {
    String path = url.substring(FILE.length());
    if (path.startsWith("//")) {
      path = path.substring(2);
      if (!path.startsWith("/")) {
        throw new InvalidValueException(
            "'" + url + "' names a host. Write file:///absolute/path or file:relative/path.");
      }
    }
    if (path.isBlank()) {
      throw new InvalidValueException(
          "'" + url + "' names no folder. Write file:///absolute/path or file:relative/path.");
    }
    return SettingsReading.path(path);
  }

  /**
   * The place that a URL of OneLake or of a storage account names.
   *
   * @throws InvalidValueException if it is none, with what to write
   */
  static OneLakeUrl remote(String url, HostPolicy hosts) {
    String lower = url.strip().toLowerCase(Locale.ROOT);
    if (lower.startsWith("s3:") || lower.startsWith("s3a:") || lower.startsWith("gs:")) {
      throw new InvalidValueException(
          "'"
              + url.substring(0, url.indexOf(':') + 1)
              + "' is not supported yet. Use the Files folder of a Lakehouse, an ADLS Gen2 file"
              + " system, or a local folder (file:).");
    }
    return StorageUrl.parse(url, hosts).url();
  }

  /**
   * The segments of a folder below the URL's.
   *
   * @throws InvalidValueException if a segment cannot be one
   */
  static List<String> segments(String folder) {
    List<String> segments = new ArrayList<>();
    if (folder.isEmpty()) {
      return segments;
    }
    for (String segment : folder.split("/", -1)) {
      if (segment.isBlank()
          || segment.equals(".")
          || segment.equals("..")
          || segment.indexOf('\\') >= 0
          || segment.chars().anyMatch(Character::isISOControl)) {
        throw new InvalidValueException(
            "'"
                + folder
                + "' is not a folder: write names joined by '/', without '/' at the ends, '.', '..'"
                + " or a backslash.");
      }
      segments.add(segment);
    }
    return segments;
  }
}
