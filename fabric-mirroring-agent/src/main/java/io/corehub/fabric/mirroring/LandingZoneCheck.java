package io.corehub.fabric.mirroring;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.RetryLaterException;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.onelake.SetupCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether the landing zone can be used. Writes nothing. Stateless. */
final class LandingZoneCheck {

  private LandingZoneCheck() {}

  /** Everything that was looked at, in words for a person. */
  static List<Finding> findings(AgentConfig config, DfsClient client, Retries retries)
      throws InterruptedException {
    OneLakeConnection connection = config.connection();
    List<Finding> findings = new ArrayList<>();
    boolean good = true;
    for (io.corehub.onelake.Finding found :
        new SetupCheck(connection, retries).run(client, FailureListener.NONE)) {
      findings.add(new Finding(found.passed() ? Severity.OK : Severity.ERROR, found.message()));
      good &= found.passed();
    }
    if (good) {
      findings.add(readable(connection, client, retries));
    }
    prefixWarning(config).ifPresent(w -> findings.add(new Finding(Severity.WARNING, w)));
    return findings;
  }

  private static Finding readable(OneLakeConnection connection, DfsClient client, Retries retries)
      throws InterruptedException {
    try {
      retries.call(
          RetryPolicy.SET_UP,
          FailureListener.NONE,
          () -> {
            client.list(connection.url().path(), false, entry -> {});
            return connection;
          });
      return new Finding(Severity.OK, "the landing zone can be read");
    } catch (DfsException e) {
      return new Finding(Severity.ERROR, io.corehub.onelake.Advice.of(connection).of(e));
    }
  }

  /** A word about a prefix that Fabric does not know. */
  static Optional<String> prefixWarning(AgentConfig config) {
    return FolderName.knownToFabric(config.prefix())
        ? Optional.empty()
        : Optional.of(
            "customPrefix '"
                + String.join("/", config.prefix())
                + "': Fabric mirrors only tables directly below the landing zone or in a"
                + " <schema>.schema folder there. Leave the prefix empty, or end it in .schema.");
  }

  /**
   * Fails unless one can sign in and the landing zone is there.
   *
   * @throws ActionRequiredException if a person must change something
   * @throws RetryLaterException if it cannot be reached now
   */
  static void require(AgentConfig config, DfsClient client, Retries retries)
      throws InterruptedException {
    OneLakeConnection connection = config.connection();
    Optional<PathProperties> folder;
    try {
      folder =
          retries.call(
              RetryPolicy.SET_UP,
              FailureListener.NONE,
              e -> e.transientFault() && e.kind() != Kind.NOT_ONELAKE,
              () -> client.head(connection.url().path()));
    } catch (DfsException e) {
      String advice = io.corehub.onelake.Advice.of(connection).of(e);
      if (e.transientFault() && e.kind() != Kind.NOT_ONELAKE) {
        throw new RetryLaterException(ErrorCode.TARGET_UNAVAILABLE, advice, e);
      }
      throw new ActionRequiredException(LandingZone.codeOf(e), advice, e);
    }
    if (folder.isEmpty() || !folder.get().directory()) {
      throw new ActionRequiredException(
          ErrorCode.TARGET_MISSING,
          folder.isEmpty()
              ? "Landing zone "
                  + connection.url()
                  + " does not exist. Check the URL on the Home page of the mirrored database."
              : "Landing zone " + connection.url() + " is a file. Give the URL of the folder.");
    }
  }
}
