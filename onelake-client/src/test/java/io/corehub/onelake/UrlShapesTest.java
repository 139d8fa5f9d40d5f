package io.corehub.onelake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlShapesTest {
  private static final String WS = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";
  private static final String ITEM = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  private static final String PLAIN =
      "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/Files/LandingZone";
  private static final HostPolicy ONELAKE = HostPolicy.oneLakeOnly();

  static Stream<String> pasted() {
    String path = "/" + WS + "/" + ITEM + "/Files/LandingZone";
    return Stream.of(
        PLAIN,
        PLAIN + "/",
        PLAIN + "///",
        PLAIN + "?experience=fabric-developer",
        PLAIN + "/?sv=2024-01-01&sig=abc%2Fdef",
        PLAIN + "#section",
        "  " + PLAIN + "\n",
        "\"" + PLAIN + "\"",
        "'" + PLAIN + "'",
        "<" + PLAIN + ">",
        "`\" " + PLAIN + " \"`",
        "https://onelake.blob.fabric.microsoft.com" + path,
        "HTTPS://OneLake.DFS.Fabric.Microsoft.COM" + path,
        "onelake.dfs.fabric.microsoft.com" + path,
        "https://onelake.dfs.fabric.microsoft.com:443" + path,
        "https://onelake.dfs.fabric.microsoft.com." + path,
        "https://onelake.dfs.fabric.microsoft.com//" + WS + "//" + ITEM + "/Files//LandingZone",
        "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/files/landingzone",
        "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/%46iles/Landing%5Aone",
        "abfss://" + WS + "@onelake.dfs.fabric.microsoft.com/" + ITEM + "/Files/LandingZone",
        "abfs://" + WS + "@onelake.dfs.fabric.microsoft.com/" + ITEM + "/Files/LandingZone/",
        "abfss://" + WS + "@onelake.blob.fabric.microsoft.com/" + ITEM + "/Files/LandingZone");
  }

  @ParameterizedTest
  @MethodSource("pasted")
  void readsTheLandingZoneAsPeoplePasteIt(String text) {
    LandingZoneUrl zone = LandingZoneUrl.parse(text, ONELAKE);
    assertThat(zone.toString()).isEqualTo(PLAIN);
    assertThat(zone.path()).isEqualTo("Files/LandingZone");
    assertThat(zone.url())
        .isEqualTo(
            new OneLakeUrl(
                "onelake.dfs.fabric.microsoft.com",
                443,
                WS,
                Optional.of(ITEM),
                List.of("Files", "LandingZone")));
  }

  @ParameterizedTest
  @CsvSource({
    "https://westus-onelake.dfs.fabric.microsoft.com,westus-onelake.dfs.fabric.microsoft.com",
    "https://westeurope-onelake.blob.fabric.microsoft.com,westeurope-onelake.dfs.fabric.microsoft.com",
    "https://3f2504e04f8911d39a0c0305e82c3301.z3f.dfs.fabric.microsoft.com,3f2504e04f8911d39a0c0305e82c3301.z3f.dfs.fabric.microsoft.com",
    "https://3f2504e04f8911d39a0c0305e82c3301.z3f.blob.fabric.microsoft.com,3f2504e04f8911d39a0c0305e82c3301.z3f.dfs.fabric.microsoft.com"
  })
  void knowsOneLakesOtherHosts(String base, String host) {
    assertThat(
            LandingZoneUrl.parse(base + "/" + WS + "/" + ITEM + "/Files/LandingZone", ONELAKE)
                .url()
                .host())
        .isEqualTo(host);
  }

  @ParameterizedTest
  @CsvSource({
    "Sales Team/Shop.MirroredDatabase,Sales Team,Shop.MirroredDatabase",
    "Sales%20Team/Shop.mirroreddatabase,Sales Team,Shop.MirroredDatabase",
    "Sales/Shop,Sales,Shop.MirroredDatabase",
    "Verk%C3%A4ufe/B%2BC.MirroredDatabase,Verkäufe,B+C.MirroredDatabase",
    "a+b/50%25.MirroredDatabase,a+b,50%.MirroredDatabase",
    "Sales/Shop 2.0,Sales,Shop 2.0.MirroredDatabase"
  })
  void readsNames(String path, String workspace, String item) {
    OneLakeUrl url =
        LandingZoneUrl.parse(
                "https://onelake.dfs.fabric.microsoft.com/" + path + "/Files/LandingZone", ONELAKE)
            .url();
    assertThat(url.fileSystem()).isEqualTo(workspace);
    assertThat(url.item()).contains(item);
    assertThat(OneLakeUrl.parse(url.toString(), ONELAKE)).isEqualTo(url);
  }

  @Test
  void takesADeeperPathAsPrefix() {
    LandingZoneUrl zone = LandingZoneUrl.parse(PLAIN + "/sales.schema/%23x", ONELAKE);
    assertThat(zone.path()).isEqualTo("Files/LandingZone/sales.schema/#x");
    assertThat(zone.toString()).isEqualTo(PLAIN + "/sales.schema/%23x");
  }

  @Test
  void buildsTheLandingZoneFromItsParts() {
    assertThat(LandingZoneUrl.of("", WS, ITEM, ONELAKE)).hasToString(PLAIN);
    assertThat(LandingZoneUrl.of("https://onelake.dfs.fabric.microsoft.com/", WS, ITEM, ONELAKE))
        .hasToString(PLAIN);
    assertThat(LandingZoneUrl.of("onelake.blob.fabric.microsoft.com", " " + WS, ITEM, ONELAKE))
        .hasToString(PLAIN);
    assertThat(LandingZoneUrl.of("", "Sales Team", "Shop", ONELAKE))
        .hasToString(
            "https://onelake.dfs.fabric.microsoft.com/Sales%20Team/Shop.MirroredDatabase/Files/LandingZone");
    assertThat(LandingZoneUrl.of("", "Sales", "Shop.MirroredDatabase", ONELAKE).url().item())
        .contains("Shop.MirroredDatabase");
  }

  @Test
  void readsOtherPlacesOfOneLakeAndStorageAccounts() {
    OneLakeUrl lakehouse =
        OneLakeUrl.parse(
            "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/Files/cdc", ONELAKE);
    assertThat(lakehouse.item()).contains(ITEM);
    assertThat(lakehouse.path()).isEqualTo("Files/cdc");

    HostPolicy allowed = HostPolicy.parse("acct.dfs.core.windows.net, localhost:8443");
    OneLakeUrl account = OneLakeUrl.parse("https://acct.dfs.core.windows.net/raw/a/b", allowed);
    assertThat(account.fileSystem()).isEqualTo("raw");
    assertThat(account.item()).isEmpty();
    assertThat(account.path()).isEqualTo("a/b");
    assertThat(OneLakeUrl.parse("abfss://raw@acct.dfs.core.windows.net/a/b", allowed))
        .isEqualTo(account);
    assertThat(OneLakeUrl.parse("https://localhost:8443/fs", allowed).path()).isEmpty();
    assertThat(OneLakeUrl.parse("https://localhost:8443/w/i/Files/LandingZone", allowed).endpoint())
        .isEqualTo("https://localhost:8443");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + " | /Files/LandingZone",
        "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/Files | " + PLAIN,
        "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/Tables/x | " + PLAIN,
        "https://onelake.dfs.fabric.microsoft.com/" + WS + " | whole URL",
        "https://onelake.dfs.fabric.microsoft.com | whole URL",
        "https://app.fabric.microsoft.com/groups/"
            + WS
            + "/mirroreddatabases/"
            + ITEM
            + "?x=1 | "
            + PLAIN,
        "https://api.onelake.fabric.microsoft.com/"
            + WS
            + "/"
            + ITEM
            + "/Files/LandingZone | onelake.dfs",
        "http://onelake.dfs.fabric.microsoft.com/"
            + WS
            + "/"
            + ITEM
            + "/Files/LandingZone | https://",
        "onelake://" + WS + "/" + ITEM + "/Files/LandingZone | https form",
        "https://"
            + WS
            + "@onelake.dfs.fabric.microsoft.com/"
            + ITEM
            + "/Files/LandingZone | behind the host",
        "https://onelake.dfs.fabric.microsoft.com/Sales/"
            + ITEM
            + "/Files/LandingZone | both as GUIDs",
        "https://onelake.dfs.fabric.microsoft.com/"
            + WS
            + "/Shop.MirroredDatabase/Files/LandingZone | both as names",
        "https://onelake.dfs.fabric.microsoft.com/"
            + WS
            + "/"
            + ITEM
            + ".MirroredDatabase/Files/LandingZone | alone",
        "https://onelake.dfs.fabric.microsoft.com/Sales/Lake.Lakehouse/Files/LandingZone | not a mirrored database",
        "https://onelake.dfs.fabric.microsoft.com/Sales/.MirroredDatabase/Files/LandingZone | no name",
        "https://onelake.dfs.fabric.microsoft.com/50%/Shop/Files/LandingZone | %25",
        "abfss://Sales Team@onelake.dfs.fabric.microsoft.com/Shop/Files/LandingZone | https form",
        "https://onelake.dfs.fabric.microsoft.com:8443/"
            + WS
            + "/"
            + ITEM
            + "/Files/LandingZone | port",
        "https://4f2504e04f8911d39a0c0305e82c3301.z4f.dfs.fabric.microsoft.com/"
            + WS
            + "/"
            + ITEM
            + "/Files/LandingZone | another workspace"
      })
  void saysWhatToPasteInstead(String text, String advice) {
    assertThatThrownBy(() -> LandingZoneUrl.parse(text, ONELAKE))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(advice);
  }

  @Test
  void repeatsNoSecretOfAUrl() {
    for (String text :
        List.of(
            "https://evil.example/w/i/Files/LandingZone?sv=1&sig=SECRET",
            "https://user:SECRET@onelake.dfs.fabric.microsoft.com/w/i/Files/LandingZone",
            "abfss://a:SECRET@onelake.dfs.fabric.microsoft.com/i/Files/LandingZone",
            "https://onelake.dfs.fabric.microsoft.com/w?sig=SECRET")) {
      assertThatThrownBy(() -> LandingZoneUrl.parse(text, ONELAKE))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageNotContaining("SECRET");
    }
  }

  static Stream<String> hostile() {
    String path = "/" + WS + "/" + ITEM + "/Files/LandingZone";
    Stream<String> authorities =
        Stream.of(
            "onelake.dfs.fabric.microsoft.com@evil.example",
            "onelake.dfs.fabric.microsoft.com:443@evil.example",
            "user:secret@onelake.dfs.fabric.microsoft.com",
            "evil.example@onelake.dfs.fabric.microsoft.com",
            "onelake.dfs.fabric.microsoft.com.evil.example",
            "onelake.dfs.fabric.microsoft.com.evil.example.",
            "evil-onelake.dfs.fabric.microsoft.com.evil.example",
            "evil.onelake.dfs.fabric.microsoft.com",
            "a.b-onelake.dfs.fabric.microsoft.com",
            "-onelake.dfs.fabric.microsoft.com",
            "a-b-onelake.dfs.fabric.microsoft.com",
            "xonelake.dfs.fabric.microsoft.com",
            "onelake.dfs.fabric.microsoft.com:8443",
            "onelake.dfs.fabric.microsoft.com:80",
            "onelake.dfs.fabric.microsoft.com:0",
            "onelake.dfs.fabric.microsoft.com:",
            "onelake.dfs.fabric.microsoft.com:65536",
            "onelake.dfs.fabric.microsoft.com:443:443",
            "onelake.dfs.fabric.microsoft.com:4４3",
            "onelake.dfs.fabric.microsoft.com..",
            "onelake..dfs.fabric.microsoft.com",
            "onelake%2edfs.fabric.microsoft.com",
            "onelake.dfs.fabric.microsoft.com%00.evil.example",
            "onelake.dfs.fabric.microsoft.com%2f.evil.example",
            "onelake．dfs．fabric．microsoft．com",
            "onelake。dfs。fabric。microsoft。com",
            "ｏｎｅｌａｋｅ.dfs.fabric.microsoft.com",
            "οnelake.dfs.fabric.microsoft.com",
            "xn--nelake-vxf.dfs.fabric.microsoft.com",
            "onelake.dfs.fabrіc.microsoft.com",
            "onelake.dfs.fabric.microsoft.com\u200b.evil.example",
            "onelake.dfs.fabric.microsoft.com\u202e",
            "onelake.dfs.fabric.microsoft.co",
            "onelake.dfs.fabric.rnicrosoft.com",
            "dfs.fabric.microsoft.com",
            "evil.dfs.fabric.microsoft.com",
            "app.fabric.microsoft.com",
            "api.fabric.microsoft.com",
            "onelake.table.fabric.microsoft.com",
            "evil.blob.fabric.microsoft.com",
            "3f2504e04f8911d39a0c0305e82c3301.z3e.dfs.fabric.microsoft.com",
            "3f2504e04f8911d39a0c0305e82c330.z3f.dfs.fabric.microsoft.com",
            "evil.z3f.dfs.fabric.microsoft.com",
            "account.dfs.core.windows.net",
            "localhost",
            "localhost:8443",
            "127.0.0.1",
            "0x7f.1",
            "2130706433",
            "0177.0.0.1",
            "169.254.169.254",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::1",
            "",
            ".",
            "-",
            "*",
            "*.dfs.fabric.microsoft.com");
    Stream<String> whole =
        Stream.of(
            "",
            "   ",
            "\"\"",
            "https://",
            "https:///" + WS,
            "//onelake.dfs.fabric.microsoft.com" + path,
            "https:/onelake.dfs.fabric.microsoft.com" + path,
            "https:onelake.dfs.fabric.microsoft.com" + path,
            "https:\\\\onelake.dfs.fabric.microsoft.com" + path,
            "https://evil.example\\@onelake.dfs.fabric.microsoft.com" + path,
            "https://onelake.dfs.fabric.microsoft.com\\.evil.example" + path,
            "\\\\evil.example\\share",
            "https://evil.example/?onelake.dfs.fabric.microsoft.com" + path,
            "https://evil.example/#@onelake.dfs.fabric.microsoft.com" + path,
            "https://evil.example?@onelake.dfs.fabric.microsoft.com" + path,
            "https://evil.example/https://onelake.dfs.fabric.microsoft.com" + path,
            "https://onelake.dfs.fabric.microsoft.com#@evil.example" + path,
            "http://onelake.dfs.fabric.microsoft.com" + path,
            "ftp://onelake.dfs.fabric.microsoft.com" + path,
            "file:///etc/passwd",
            "jar:https://onelake.dfs.fabric.microsoft.com!/x",
            "javascript://onelake.dfs.fabric.microsoft.com/%0aalert(1)",
            "abfss://a@b@onelake.dfs.fabric.microsoft.com" + path,
            "abfss://" + WS + "@evil.example/" + ITEM + "/Files/LandingZone",
            "abfss://onelake.dfs.fabric.microsoft.com" + path,
            "https://onelake.dfs.fabric.microsoft.com\r\nHost: evil.example" + path,
            "https://onelake.dfs.fabric.microsoft.com/\t" + path,
            "https://onelake.dfs.fabric.microsoft.com/" + WS + "/" + ITEM + "/Files/LandingZone/..",
            "https://onelake.dfs.fabric.microsoft.com/" + WS + "/../" + ITEM + "/Files/LandingZone",
            "https://onelake.dfs.fabric.microsoft.com/./" + WS + "/" + ITEM + "/Files/LandingZone",
            PLAIN + "/%2e%2e",
            PLAIN + "/%2E%2e/x",
            PLAIN + "/%252e%252e",
            PLAIN + "/a%2Fb",
            PLAIN + "/a%252Fb",
            PLAIN + "/a%5Cb",
            PLAIN + "/%00",
            PLAIN + "/%0d%0aX: y",
            PLAIN + "/%E2%80%AEx",
            PLAIN + "/%ff",
            PLAIN + "/%c0%ae",
            PLAIN + "/%zz",
            PLAIN + "/%2",
            PLAIN + "/%20",
            PLAIN + "/" + "x".repeat(5000));
    return Stream.concat(authorities.map(authority -> "https://" + authority + path), whole);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void refusesHostileUrls(String text) {
    assertThatThrownBy(() -> LandingZoneUrl.parse(text, ONELAKE))
        .isInstanceOf(InvalidValueException.class)
        .satisfies(e -> assertThat(e.getMessage().codePoints()).noneMatch(Character::isISOControl));
  }

  @Test
  void countsMoreThanSixtyHostileUrls() {
    assertThat(hostile().distinct().count()).isGreaterThanOrEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://onelake.dfs.fabric.microsoft.com/x",
        "user@onelake.dfs.fabric.microsoft.com",
        "http://onelake.dfs.fabric.microsoft.com",
        "evil.example",
        "onelake.dfs.fabric.microsoft.com:8443"
      })
  void refusesHostsThatAreMoreOrOther(String host) {
    assertThatThrownBy(() -> LandingZoneUrl.of(host, WS, ITEM, ONELAKE))
        .isInstanceOf(InvalidValueException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'', " + ITEM,
    WS + ", ''",
    WS + ", Shop",
    "Sales, " + ITEM,
    "a/b, Shop",
    "Sales, ..",
    "Sales, %2e%2e",
    "Sales, a\\b"
  })
  void refusesPartsThatCannotBeUsed(String workspace, String item) {
    assertThatThrownBy(() -> LandingZoneUrl.of("", workspace, item, ONELAKE))
        .isInstanceOf(InvalidValueException.class);
  }
}
