package io.corehub.lineage;

import io.corehub.agent.settings.Secret;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes out of a text what must not be passed on: the secrets of source and target wherever they
 * stand, and what looks like a token, a key or a password. Immutable.
 */
final class Scrubber {

  private static final int LONGEST = 2_000;
  private static final String GONE = "***";

  private static final Pattern TOKEN =
      Pattern.compile("eyJ[A-Za-z0-9_-]{5,}(?:\\.[A-Za-z0-9_-]*){0,2}");

  private static final Pattern BEARER = Pattern.compile("(?i)\\b(bearer|basic)\\s+[^\\s,;'\"]+");

  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)\\b(password|passwd|pwd|secret|client_secret|api_?key|token|access_?token|sig|"
              + "signature|sharedaccesskey|accountkey|client_assertion)(\"?\\s*[=:]\\s*\"?)[^\\s&;,\"']+");

  private static final Pattern USER_INFO = Pattern.compile("(://)[^/@\\s]+@");

  private final List<Secret> secrets;

  Scrubber(List<Secret> secrets) {
    this.secrets = List.copyOf(secrets);
  }

  String clean(String text) {
    String clean = text;
    for (Secret secret : secrets) {
      String value = secret.reveal();
      if (!value.isBlank()) {
        clean = clean.replace(value, GONE);
      }
    }
    clean = TOKEN.matcher(clean).replaceAll(GONE);
    clean = BEARER.matcher(clean).replaceAll("$1 " + GONE);
    clean = NAMED.matcher(clean).replaceAll("$1$2" + GONE);
    clean = USER_INFO.matcher(clean).replaceAll("$1" + GONE + "@");
    return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST) + "…";
  }
}
