package io.corehub.fabric.mirroring;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.table.TableId;
import io.corehub.fabric.mirroring.Monitoring.Reading;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailedAttempt;
import io.corehub.onelake.RetryPolicy;
import io.corehub.onelake.SetupCheck;
import io.corehub.storage.DfsErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
        new SetupCheck(connection, retries).run(client, LandingZoneCheck::tryingAgain)) {
      findings.add(new Finding(found.passed() ? Severity.OK : Severity.ERROR, found.message()));
      good &= found.passed();
    }
    if (good) {
      findings.add(readable(connection, client, retries));
      mirroring(new Monitoring(client, connection, config.prefix()), connection, retries)
          .ifPresent(findings::add);
    }
    prefixWarning(config).ifPresent(w -> findings.add(new Finding(Severity.WARNING, w)));
    return findings;
  }

  private static void tryingAgain(FailedAttempt failure) {
    Logs.LOG.info(
        "Attempt {} failed, the next one follows in {} s: {}",
        failure.attempts(),
        Math.max(1, failure.pause().toSeconds()),
        failure.cause().getMessage());
  }

  private static Finding readable(OneLakeConnection connection, DfsClient client, Retries retries)
      throws InterruptedException {
    try {
      retries.call(
          RetryPolicy.SET_UP,
          LandingZoneCheck::tryingAgain,
          () -> {
            client.list(connection.url().path(), false, entry -> {});
            return connection;
          });
      return new Finding(Severity.OK, "the landing zone can be read");
    } catch (DfsException e) {
      return new Finding(Severity.ERROR, io.corehub.onelake.Advice.of(connection).of(e));
    }
  }

  /** Whether Fabric takes the files; empty if it does not say. */
  private static Optional<Finding> mirroring(
      Monitoring monitoring, OneLakeConnection connection, Retries retries)
      throws InterruptedException {
    Reading<ReplicatorReport> report;
    try {
      report =
          retries.call(
              RetryPolicy.SET_UP, LandingZoneCheck::tryingAgain, () -> monitoring.replicator());
    } catch (DfsException e) {
      return Optional.of(
          new Finding(
              Severity.WARNING,
              "Whether Fabric takes the files is not known, since its status cannot be read. "
                  + io.corehub.onelake.Advice.of(connection).of(e)));
    }
    if (report instanceof Reading.Unreadable<ReplicatorReport> now) {
      return Optional.of(
          new Finding(
              Severity.WARNING, "Whether Fabric takes the files is not known: " + now.why() + "."));
    }
    return report.known().map(ReplicatorReport::status).flatMap(LandingZoneCheck::mirroring);
  }

  private static Optional<Finding> mirroring(FabricStatus status) {
    if (status.failed() || status.halted() || status.notStarted() || status.starting()) {
      return Optional.of(new Finding(Severity.WARNING, MirroringWords.database(status)));
    }
    return status.word().isEmpty()
        ? Optional.empty()
        : Optional.of(new Finding(Severity.OK, "the mirrored database is " + status.word()));
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

  /** A word about tables that a prefix takes to where Fabric does not look. */
  static Optional<String> prefixWarning(AgentConfig config, Stream<TableId> tables) {
    if (config.prefix().isEmpty() || !FolderName.knownToFabric(config.prefix())) {
      return Optional.empty();
    }
    List<TableId> nested = tables.filter(table -> table.schema().isPresent()).toList();
    return nested.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "customPrefix '"
                + String.join("/", config.prefix())
                + "': Fabric does not look into a schema folder inside of another, and "
                + nested
                + (nested.size() == 1 ? " has a schema" : " have schemas")
                + " of their own. Leave the prefix empty.");
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
    SetupCheck check = new SetupCheck(connection, retries);
    PathProperties folder;
    try {
      folder = check.look(client, LandingZoneCheck::tryingAgain);
    } catch (DfsException e) {
      String advice = io.corehub.onelake.Advice.of(connection).of(e);
      if (SetupCheck.passes(e)) {
        throw new RetryLaterException(ErrorCode.TARGET_UNAVAILABLE, advice, e);
      }
      throw new ActionRequiredException(DfsErrors.codeOf(e), advice, e);
    }
    if (!folder.directory()) {
      throw new ActionRequiredException(ErrorCode.TARGET_MISSING, check.notAFolder());
    }
  }
}
