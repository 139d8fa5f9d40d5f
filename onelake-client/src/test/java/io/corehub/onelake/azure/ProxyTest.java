package io.corehub.onelake.azure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.ProxyServer;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which proxy is taken, and who gets its password; what proxies do is in the error catalogue. */
class ProxyTest {
  @Test
  void takesTheProxyOfTheEnvironmentExceptForHostsItExempts() {
    Map<String, String> environment =
        Map.of(
            "HTTPS_PROXY",
            "http://proxy.example:3128",
            "NO_PROXY",
            "internal.example, .corp, *.lan");
    ProxySelector selector = ProxyChoice.of(Optional.empty(), environment).selector();
    assertThat(selector.select(URI.create("https://onelake.dfs.fabric.microsoft.com/")))
        .extracting(Proxy::address)
        .containsExactly(InetSocketAddress.createUnresolved("proxy.example", 3128));
    for (String direct :
        List.of(
            "localhost",
            "127.0.0.1",
            "internal.example",
            "x.internal.example",
            "a.corp",
            "b.lan")) {
      assertThat(selector.select(URI.create("https://" + direct + "/")))
          .as(direct)
          .containsExactly(Proxy.NO_PROXY);
    }
    assertThat(selector.select(URI.create("https://notinternal.example/")))
        .extracting(Proxy::type)
        .containsExactly(Proxy.Type.HTTP);
  }

  @Test
  void prefersTheSettingAndFallsBackToTheRuntime() {
    Map<String, String> environment = Map.of("https_proxy", "http://env.example:1");
    ProxySelector chosen =
        ProxyChoice.of(Optional.of(ProxyServer.parse("set.example:2")), environment).selector();
    assertThat(chosen.select(URI.create("https://localhost/")))
        .extracting(proxy -> ((InetSocketAddress) proxy.address()).getHostString())
        .containsExactly("set.example");
    assertThat(ProxyChoice.of(Optional.empty(), Map.of()).selector())
        .isSameAs(ProxySelector.getDefault());
    assertThatThrownBy(
            () -> ProxyChoice.of(Optional.empty(), Map.of("HTTPS_PROXY", "socks5://CANARY@x")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void givesThePasswordOnlyToTheProxy() {
    Map<String, String> environment =
        Map.of("HTTPS_PROXY", "http://me:p%40ss@proxy.example:3128", "NO_PROXY", "direct.example");
    ProxyChoice choice = ProxyChoice.of(Optional.empty(), environment);
    assertThat(choice.authorization(URI.create("https://onelake.dfs.fabric.microsoft.com/")))
        .contains("Basic " + Base64.getEncoder().encodeToString("me:p@ss".getBytes(ISO_8859_1)));
    assertThat(choice.authorization(URI.create("https://direct.example/"))).isEmpty();
    assertThat(choice.authorization(URI.create("https://localhost/"))).isEmpty();
  }
}
