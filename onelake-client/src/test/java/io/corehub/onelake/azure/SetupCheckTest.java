package io.corehub.onelake.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Finding;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Secret;
import io.corehub.onelake.SetupCheck;
import io.corehub.onelake.TenantId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetupCheckTest {
  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;

  private final List<DfsException> repeated = new ArrayList<>();
  private Duration slept = Duration.ZERO;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    oneLake.close();
  }

  @BeforeEach
  void forget() {
    oneLake.forgetRequests();
  }

  @AfterEach
  void clear() {
    oneLake.clearFaults();
  }

  @Test
  void findsAWorkingConnectionInTwoRequests() throws Exception {
    List<Finding> findings = check(oneLake.landingZone());
    assertThat(findings).allMatch(Finding::passed).hasSize(2);
    assertThat(findings.get(1).message()).contains(oneLake.connection.landingZoneUrl());
    assertThat(oneLake.operations()).containsExactly("token", "head");
  }

  @Test
  void namesAWrongSecretWithoutShowingIt() throws Exception {
    List<Finding> findings = check(oneLake.withSecret(oneLake.landingZone().url(), "CANARY"));
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).passed()).isFalse();
    assertThat(findings.get(0).message())
        .contains("client secret")
        .contains("Value")
        .contains("AADSTS7000215")
        .doesNotContain("CANARY");
    assertThat(repeated).isEmpty();
  }

  @Test
  void namesAnUnknownTenant() throws Exception {
    List<Finding> findings =
        check(changed("11111111-2222-3333-4444-555555555555", oneLake.connection.clientId()));
    assertThat(findings.get(0).message())
        .contains("11111111-2222-3333-4444-555555555555")
        .contains("Directory (tenant) ID");
  }

  @Test
  void namesAnUnknownClient() throws Exception {
    List<Finding> findings =
        check(changed(oneLake.connection.tenantId(), "11111111-2222-3333-4444-555555555555"));
    assertThat(findings.get(0).message())
        .contains("11111111-2222-3333-4444-555555555555")
        .contains("Application (client) ID");
  }

  @Test
  void namesAMissingLandingZone() throws Exception {
    OneLakeUrl url = oneLake.landingZone().url();
    List<Finding> findings =
        check(oneLake.to(url.withSegments(List.of("Files", "LandingZone", "nowhere"))));
    assertThat(findings).hasSize(2);
    assertThat(findings.get(1).passed()).isFalse();
    assertThat(findings.get(1).message())
        .contains("nowhere")
        .contains("does not exist")
        .contains("Home page");
  }

  @Test
  void namesAMissingRight() throws Exception {
    oneLake.fault("head", "{\"type\":\"status\",\"code\":403,\"errorCode\":\"Forbidden\"}");
    assertThat(check(oneLake.landingZone()).get(1).message())
        .contains(oneLake.connection.clientId())
        .contains("Contributor")
        .contains("Service principals can use Fabric APIs");
    assertThat(repeated).isEmpty();
  }

  @Test
  void triesPassingFaultsAgain() throws Exception {
    oneLake.faults(
        "[{\"operation\":\"head\",\"nth\":1,\"times\":2,\"fault\":{\"type\":\"status\",\"code\":503,\"errorCode\":\"ServerBusy\"}}]");
    assertThat(check(oneLake.landingZone())).allMatch(Finding::passed);
    assertThat(repeated).hasSize(2);
  }

  @Test
  void givesUpPassingFaultsAfterAMinute() throws Exception {
    oneLake.faults(
        "[{\"operation\":\"head\",\"nth\":1,\"times\":100,\"fault\":{\"type\":\"status\",\"code\":503,\"errorCode\":\"CapacityNotActive\"}}]");
    List<Finding> findings = check(oneLake.landingZone());
    assertThat(findings.get(1).message())
        .contains("capacity")
        .contains("paused")
        .contains("Resume");
    assertThat(slept)
        .isLessThanOrEqualTo(Duration.ofSeconds(60))
        .isGreaterThan(Duration.ofSeconds(20));
  }

  @Test
  void namesAProxyThatAnswersInstead() throws Exception {
    oneLake.fault("head", "{\"type\":\"html200\"}");
    assertThat(check(oneLake.landingZone()).get(1).message())
        .contains("proxy")
        .contains("x-ms-request-id");
    assertThat(repeated).isEmpty();
  }

  private static OneLakeConnection changed(String tenant, String client) {
    OneLakeConnection right = oneLake.landingZone();
    return new OneLakeConnection(
        right.url(),
        new Credentials.ClientSecret(
            new TenantId(tenant), client, Secret.of(oneLake.connection.clientSecret())),
        right.authorityHost(),
        right.trustedCertificates(),
        Optional.empty(),
        right.tryTimeout());
  }

  private List<Finding> check(OneLakeConnection connection) throws InterruptedException {
    long[] now = {0};
    Retries.Time time =
        new Retries.Time() {
          @Override
          public long nanos() {
            return now[0];
          }

          @Override
          public void sleep(Duration duration) {
            now[0] += duration.toNanos();
            slept = slept.plus(duration);
          }
        };
    try (DfsClient client = AzureDfsClient.open(connection)) {
      return new SetupCheck(connection, new Retries(time, () -> 0.5))
          .run(client, failure -> repeated.add(failure.cause()));
    }
  }
}
