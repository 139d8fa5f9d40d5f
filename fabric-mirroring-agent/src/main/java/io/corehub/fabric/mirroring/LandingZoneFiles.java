package io.corehub.fabric.mirroring;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.Advice;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The files of a live landing zone, read only. Transient faults are tried again. Thread-safe. */
final class LandingZoneFiles implements TargetFiles {

  private static final List<String> ROOT = List.of("Files", "LandingZone");

  private final OneLakeConnection connection;
  private final DfsClient client;
  private final Retries retries;
  private final String root;

  LandingZoneFiles(OneLakeConnection connection, DfsClient client, Retries retries) {
    this.connection = connection;
    this.client = client;
    this.retries = retries;
    this.root = String.join("/", ROOT);
  }

  /**
   * Whether a URL, as people paste it, is the landing zone of a connection.
   *
   * @param hosts hosts that the settings allow
   */
  static boolean same(OneLakeConnection connection, String location, HostPolicy hosts) {
    OneLakeUrl url;
    try {
      url = LandingZoneUrl.parse(location, hosts).url();
    } catch (InvalidValueException e) {
      return false; // No landing zone, or none that these settings may speak to.
    }
    OneLakeUrl own = connection.url();
    return url.authority().equals(own.authority())
        && lower(url.fileSystem()).equals(lower(own.fileSystem()))
        && url.item().map(LandingZoneFiles::lower).equals(own.item().map(LandingZoneFiles::lower));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException, InterruptedException {
    String path = below(directory);
    return call(
        path,
        () -> {
          List<TargetFile> entries = new ArrayList<>();
          client.list(
              path,
              false,
              entry ->
                  entries.add(
                      new TargetFile(
                          entry.path().substring(root.length() + 1),
                          entry.directory(),
                          entry.length(),
                          entry.lastModified(),
                          entry.etag())));
          return entries;
        });
  }

  @Override
  public byte[] read(String path, long offset, int length)
      throws IOException, InterruptedException {
    String file = below(path);
    return call(file, () -> client.read(file, offset, Math.min(length, DfsClient.MAX_READ_BYTES)));
  }

  private String below(String path) {
    return path.isEmpty() ? root : root + "/" + path;
  }

  private <T> T call(String path, Retries.Attempt<T> attempt)
      throws IOException, InterruptedException {
    try {
      return retries.call(RetryPolicy.SET_UP, FailureListener.NONE, attempt);
    } catch (DfsException e) {
      if (e.kind() == Kind.NOT_FOUND && !path.equals(root)) {
        NoSuchFileException gone = new NoSuchFileException(path);
        gone.initCause(e);
        throw gone;
      }
      throw new IOException(Advice.of(connection).of(e), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /** Opens the files of a landing zone, if it is that of the settings. */
  static Optional<TargetFiles> open(
      OneLakeConnection connection,
      String location,
      HostPolicy hosts,
      Function<OneLakeConnection, DfsClient> opener,
      Retries retries) {
    return same(connection, location, hosts)
        ? Optional.of(new LandingZoneFiles(connection, opener.apply(connection), retries))
        : Optional.empty();
  }
}
