package io.corehub.fabric.mirroring;

import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.Advice;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.Retries;
import io.corehub.storage.StoredFiles;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Opens the files of live landing zones, to be read only. Pure. */
final class LandingZoneFiles {

  private static final String ROOT = "Files/LandingZone";

  private LandingZoneFiles() {}

  /** The files of a landing zone. */
  static TargetFiles of(OneLakeConnection connection, DfsClient client, Retries retries) {
    return new StoredFiles(client, ROOT, retries, Advice.of(connection)::of);
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

  /** Opens the files of a landing zone, if it is that of the settings. */
  static Optional<TargetFiles> open(
      OneLakeConnection connection,
      String location,
      HostPolicy hosts,
      Function<OneLakeConnection, DfsClient> opener,
      Retries retries) {
    return same(connection, location, hosts)
        ? Optional.of(of(connection, opener.apply(connection), retries))
        : Optional.empty();
  }
}
