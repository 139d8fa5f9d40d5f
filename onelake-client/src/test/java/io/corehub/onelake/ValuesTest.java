package io.corehub.onelake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  @Test
  void allowsExactHostsAndPorts() {
    HostPolicy policy = HostPolicy.parse(" Localhost:8443 ,proxy.example.com,, [::1]:9443 ");
    assertThat(policy.allows("localhost", 8443)).isTrue();
    assertThat(policy.allows("localhost", 443)).isFalse();
    assertThat(policy.allows("proxy.example.com", 443)).isTrue();
    assertThat(policy.allows("x.proxy.example.com", 443)).isFalse();
    assertThat(policy.allows("[::1]", 9443)).isTrue();
    assertThat(policy.allows("onelake.dfs.fabric.microsoft.com", 443)).isTrue();
    assertThat(policy.allows("onelake.dfs.fabric.microsoft.com", 8443)).isFalse();
    assertThat(HostPolicy.parse("").allows("localhost", 443)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://localhost",
        "localhost:99999",
        "localhost:0",
        "*.example.com",
        "a b",
        "user@host",
        "host/path",
        "host:",
        "ümlaut.example"
      })
  void refusesAnythingButHosts(String entry) {
    assertThatThrownBy(() -> HostPolicy.parse("good.example," + entry))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("allowedHosts")
        .hasMessageContaining(entry);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "72f988bf-86f1-41af-91ab-2d7cd011db47",
        " 72F988BF-86F1-41AF-91AB-2D7CD011DB47 ",
        "contoso.onmicrosoft.com",
        "contoso.com"
      })
  void takesTenantsByIdOrDomain(String tenant) {
    assertThat(new TenantId(tenant).value()).isEqualTo(tenant.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "common",
        "organizations",
        "../..",
        "a/b.com",
        "a.com/../x",
        "a.com?x",
        "a.com#x",
        "a%2fb.com",
        "-a.com",
        "a..com",
        "a.com.",
        "72f988bf-86f1-41af-91ab-2d7cd011db4",
        "1.2.3.4",
        "a.com\nx",
        "a.com@evil.example"
      })
  void refusesTenantsThatCouldChangeAPath(String tenant) {
    assertThatThrownBy(() -> new TenantId(tenant))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("Directory (tenant) ID");
  }

  @ParameterizedTest
  @CsvSource({
    "'', https://login.microsoftonline.com/",
    "https://login.microsoftonline.us, https://login.microsoftonline.us/",
    "login.partner.microsoftonline.cn, https://login.partner.microsoftonline.cn/",
    "https://LOGIN.microsoftonline.com:443/, https://login.microsoftonline.com/",
    "https://localhost:8443/, https://localhost:8443/"
  })
  void takesMicrosoftsAuthoritiesAndAllowedOnes(String text, String authority) {
    assertThat(AuthorityHost.parse(text, HostPolicy.parse("localhost:8443")))
        .hasToString(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.microsoftonline.com",
        "https://evil.example",
        "https://login.microsoftonline.com.evil.example",
        "https://login.microsoftonline.com:8443",
        "https://login.microsoftonline.com/tenant",
        "https://user:SECRET@login.microsoftonline.com",
        "https://login.microsoftonline.com?x=SECRET",
        "https://localhost:9999",
        "https://[",
        "::"
      })
  void refusesOtherAuthorities(String text) {
    assertThatThrownBy(() -> AuthorityHost.parse(text, HostPolicy.parse("localhost:8443")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageNotContaining("SECRET");
  }

  @Test
  void readsAProxyWithAndWithoutSignIn() {
    ProxyServer plain = ProxyServer.parse("http://proxy.example:3128");
    assertThat(plain.host()).isEqualTo("proxy.example");
    assertThat(plain.port()).isEqualTo(3128);
    assertThat(plain.user()).isEmpty();
    assertThat(ProxyServer.parse("proxy.example").port()).isEqualTo(80);

    ProxyServer signedIn = ProxyServer.parse("http://dom%5Cme:p%40ss%3A+@proxy.example:3128/");
    assertThat(signedIn.user()).contains("dom\\me");
    assertThat(signedIn.password().orElseThrow().reveal()).isEqualTo("p@ss:+");
    assertThat(signedIn.toString()).isEqualTo("http://proxy.example:3128");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://SECRET@proxy:1",
        "socks5://proxy:1080",
        "http://SECRET@proxy:3128",
        "http://:SECRET@proxy:3128",
        "http://proxy:99999",
        "http://proxy:3128/SECRET",
        "http://proxy:3128?SECRET",
        "http://a b"
      })
  void refusesOtherProxiesWithoutRepeatingThem(String text) {
    assertThatThrownBy(() -> ProxyServer.parse(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageNotContaining("SECRET")
        .hasNoCause();
  }

  @Test
  void showsNoSecretInAnyText() {
    Secret secret = Secret.of(" canary-1234 ");
    OneLakeConnection connection =
        OneLakeConnection.of(
                OneLakeUrl.parse(
                    "https://onelake.dfs.fabric.microsoft.com/w/i/Files", HostPolicy.oneLakeOnly()),
                new Credentials.ClientSecret(new TenantId("contoso.com"), "client", secret))
            .withProxy(ProxyServer.parse("http://me:canary-5678@proxy:3128"));
    assertThat(secret.reveal()).isEqualTo("canary-1234");
    assertThat(secret).hasToString("***").isEqualTo(Secret.of("canary-1234"));
    assertThat(connection.toString()).doesNotContain("canary").contains("client");
    assertThatThrownBy(() -> Secret.of("  ")).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void refusesATimeLimitOfNothing() {
    OneLakeConnection connection =
        OneLakeConnection.of(
            OneLakeUrl.parse(
                "https://onelake.dfs.fabric.microsoft.com/w/i/Files", HostPolicy.oneLakeOnly()),
            new Credentials.ClientSecret(new TenantId("contoso.com"), "client", Secret.of("x")));
    assertThatThrownBy(() -> connection.withTryTimeout(Duration.ZERO))
        .isInstanceOf(InvalidValueException.class);
  }
}
