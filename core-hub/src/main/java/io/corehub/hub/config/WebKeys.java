package io.corehub.hub.config;

import io.corehub.agent.settings.Secret;
import java.util.Optional;
import java.util.Set;

/** Reads the keys below {@code hub.web}. Stateless. */
final class WebKeys {

  private static final Set<String> KEYS = YamlMap.keys("host", "port", "token");

  private WebKeys() {}

  static WebConfig read(YamlMap web, ConfigProblems problems) {
    web.allowOnly(KEYS);
    String host = web.text("host").orElse(WebConfig.DEFAULT_HOST);
    WebConfig config =
        new WebConfig(host, port(web, problems), token(web, problems).map(Secret::new));
    if (!config.loopback() && !web.has("token")) {
      problems.problem(
          web.lineOfKey("host"),
          "'hub.web.host' is '"
              + host
              + "', which others than this machine may reach, and 'hub.web.token' is missing: set"
              + " it, or leave out 'hub.web.host'");
    }
    return config;
  }

  private static int port(YamlMap web, ConfigProblems problems) {
    Optional<String> text = web.text("port");
    if (text.isEmpty()) {
      return WebConfig.DEFAULT_PORT;
    }
    int port = text.get().matches("\\d{1,5}") ? Integer.parseInt(text.get()) : -1;
    if (port < 0 || port > 65_535) {
      problems.problem(
          web.lineOfKey("port"),
          "'hub.web.port' is '" + text.get() + "', but must be a whole number from 0 to 65535");
    }
    return port;
  }

  private static Optional<String> token(YamlMap web, ConfigProblems problems) {
    Optional<String> token = web.text("token");
    if (token.isPresent() && !WebConfig.isToken(token.get())) {
      problems.problem(
          web.lineOfKey("token"),
          "'hub.web.token' must have at least "
              + WebConfig.MIN_TOKEN_LENGTH
              + " characters, all of them visible ASCII ones without blanks; 'openssl rand -hex 24'"
              + " makes a good one");
    }
    return token;
  }
}
