package io.corehub.onelake;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.DfsException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AdviceTest {
  private final Advice advice =
      Advice.of(
          OneLakeConnection.of(
              LandingZoneUrl.of("", "Sales", "Shop", HostPolicy.oneLakeOnly()).url(),
              new Credentials.ClientSecret(
                  new TenantId("contoso.com"), "app-1", Secret.of("CANARY"))));

  @ParameterizedTest
  @EnumSource(Kind.class)
  void saysSomethingForEveryKindOnOneLine(Kind kind) {
    String text =
        advice.of(DfsException.of(kind, "create").status(418).build("create of f at host: why."));
    assertThat(text)
        .isNotBlank()
        .doesNotContain("CANARY")
        .doesNotContain("null")
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NOT_FOUND | '' | Home page",
        "CONTAINER_NOT_FOUND | WorkspaceNotFound | both as GUIDs",
        "FORBIDDEN | Forbidden | Add it to the workspace as Contributor",
        "UNAUTHORIZED | '' | tenant settings",
        "BAD_REQUEST | FriendlyNameSupportDisabled | Use both GUIDs",
        "BAD_REQUEST | OperationNotAllowedOnThePath | must end in Files/LandingZone",
        "CAPACITY_PAUSED | CapacityNotActive | Resume it",
        "TLS | '' | trustedCertificates",
        "TIMEOUT | '' | tryTimeoutInSeconds",
        "HOST_UNREACHABLE | '' | proxy settings",
        "NOT_ONELAKE | '' | proxy",
        "CONFLICT | LeaseIdMissing | 'Find out what it is, then start again'",
        "CONDITION_NOT_MET | '' | 'Find out what it is, then start again'",
        "INVALID_FLUSH_POSITION | '' | Start again",
        "UNEXPECTED_ANSWER | '' | Start again",
        "BAD_REQUEST | InvalidHeaderValue | Start again"
      })
  void saysWhatToChangeOnTheSideOfOneLake(Kind kind, String code, String text) {
    assertThat(advice.of(DfsException.of(kind, "head").errorCode(code).build("head failed.")))
        .contains(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AADSTS7000215 | secret's Value, not its Secret ID",
        "AADSTS7000222 | has expired",
        "AADSTS90002 | Tenant 'contoso.com' was not found",
        "AADSTS700016 | Client ID app-1 is not registered",
        "AADSTS7000112 | disabled",
        "AADSTS53003 | conditional access",
        "AADSTS12345 | Check client id, client secret and tenant id",
        "'' | Check client id, client secret and tenant id"
      })
  void saysWhatToChangeOnTheSideOfEntra(String code, String text) {
    DfsException failure =
        DfsException.of(Kind.SIGN_IN_REFUSED, "sign-in")
            .status(401)
            .errorCode(code)
            .build("sign-in failed " + code + ".");
    assertThat(advice.of(failure)).contains(text).contains(code);
  }

  @Test
  void aFileThatVanishedIsNoMissingLandingZone() {
    DfsException gone =
        DfsException.of(Kind.NOT_FOUND, "read").status(404).build("read of Files/T/1: HTTP 404");
    assertThat(advice.of(gone))
        .contains("Files/T/1", "had been listed before and is gone")
        .doesNotContain("Home page");
  }

  @Test
  void saysHowLongOneLakeAsksToWait() {
    assertThat(
            advice.of(
                DfsException.of(Kind.THROTTLED, "create")
                    .status(429)
                    .retryAfter(Duration.ofSeconds(17))
                    .build("slow down")))
        .contains("17 s")
        .contains("429");
  }
}
