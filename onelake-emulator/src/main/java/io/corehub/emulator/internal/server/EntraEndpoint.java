package io.corehub.emulator.internal.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Microsoft Entra's token endpoint for one tenant with one registered application. Thread-safe. */
final class EntraEndpoint implements TokenEndpoint {
  private static final String STORAGE_SCOPE = "https://storage.azure.com/.default";
  private static final List<String> OPENID_SCOPES = List.of("openid", "profile", "offline_access");
  private static final Pattern TENANT = Pattern.compile("[0-9A-Za-z][0-9A-Za-z.-]*");

  private final Identity identity;
  private final TokenIssuer tokens;
  private final ClientAssertions assertions;
  private final Clock clock;

  EntraEndpoint(Identity identity, TokenIssuer tokens, ClientAssertions assertions, Clock clock) {
    this.identity = identity;
    this.tokens = tokens;
    this.assertions = assertions;
    this.clock = clock;
  }

  /** The fields of a form body; not a secret is left out. */
  static Map<String, String> form(byte[] body) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : new String(body, StandardCharsets.UTF_8).split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        fields.put(unescape(part.substring(0, equals)), unescape(part.substring(equals + 1)));
      }
    }
    return fields;
  }

  @Override
  public Answer token(Call call, Map<String, String> form) {
    String tenant = call.path().split("/", -1)[1];
    if (!call.method().equals("POST")) {
      return error(
          "900561",
          "The endpoint only accepts POST requests. Received a " + call.method() + " request.");
    }
    if (!TENANT.matcher(tenant).matches()) {
      return error(
          "900023",
          "Specified tenant identifier '"
              + tenant
              + "' is neither a valid DNS name, nor a valid external domain.");
    }
    if (!tenant.equalsIgnoreCase(identity.tenantId())) {
      return error(
          "90002",
          "Tenant '"
              + tenant
              + "' not found. Check to make sure you have the correct tenant ID and are"
              + " signing into the correct cloud. Check with your subscription administrator, this may happen"
              + " if there are no active subscriptions for the tenant.");
    }
    String grant = form.getOrDefault("grant_type", "");
    if (grant.isEmpty()) {
      return error(
          "900144", "The request body must contain the following parameter: 'grant_type'.");
    }
    if (!grant.equals("client_credentials")) {
      return error("70003", "The app requested an unsupported grant type '" + grant + "'.");
    }
    return clientCredentials(form);
  }

  private Answer clientCredentials(Map<String, String> form) {
    String clientId = form.getOrDefault("client_id", "");
    if (clientId.isEmpty()) {
      return error("900144", "The request body must contain the following parameter: 'client_id'.");
    }
    if (!clientId.equalsIgnoreCase(identity.clientId())) {
      return error(
          "700016",
          "Application with identifier '"
              + clientId
              + "' was not found in the directory '"
              + identity.tenantId()
              + "'. This can happen if the application has not been installed by the administrator of the tenant"
              + " or consented to by any user in the tenant.");
    }
    Optional<Answer> unproven = unproven(form);
    if (unproven.isPresent()) {
      return unproven.get();
    }
    String scope = form.getOrDefault("scope", "").trim();
    List<String> resources =
        Arrays.stream(scope.split("\\s+", -1)).filter(s -> !OPENID_SCOPES.contains(s)).toList();
    if (scope.isEmpty()) {
      return error("900144", "The request body must contain the following parameter: 'scope'.");
    }
    if (!resources.equals(List.of(STORAGE_SCOPE))) {
      return error(
          "500011",
          "The resource principal named "
              + String.join(" ", resources)
              + " was not found in the tenant named "
              + identity.tenantId()
              + ". Only "
              + STORAGE_SCOPE
              + " is known here.");
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("token_type", "Bearer");
    answer.put("expires_in", tokens.lifetime().toSeconds());
    answer.put("ext_expires_in", tokens.lifetime().toSeconds());
    answer.put("access_token", tokens.issue(identity.clientId()));
    return Answer.json(200, answer).with("Cache-Control", "no-store, no-cache");
  }

  @Override
  public Answer injected(int status, String code) {
    String number = code.toUpperCase(Locale.ROOT).replace("AADSTS", "");
    String client = identity.clientId();
    String text =
        switch (number) {
          case "7000222" ->
              "The provided client secret keys for app '"
                  + client
                  + "' are expired. Visit the Azure portal to create new keys for your app:"
                  + " https://aka.ms/NewClientSecret, or consider using certificate credentials for added"
                  + " security: https://aka.ms/certCreds.";
          case "7000112" -> "Application '" + client + "'(hub) is disabled.";
          case "53003" ->
              "Access has been blocked by Conditional Access policies. The access policy does not allow token"
                  + " issuance.";
          case "90033" -> "A transient error has occurred. Please try again.";
          case "429" -> "Request throttled: too many requests in a short time.";
          default -> "Injected by a fault rule.";
        };
    return error(status, number, text);
  }

  /** The refusal of a client that does not show to be the one it says it is. */
  private Optional<Answer> unproven(Map<String, String> form) {
    String assertion = form.getOrDefault("client_assertion", "");
    if (!assertion.isEmpty()) {
      if (!form.getOrDefault("client_assertion_type", "").equals(ClientAssertions.TYPE)) {
        return Optional.of(
            error("900144", "The request body must contain 'client_assertion_type'."));
      }
      return assertions
          .refusal(assertion, identity.clientId())
          .map(refusal -> error(refusal.code(), refusal.text()));
    }
    String secret = form.getOrDefault("client_secret", "");
    if (secret.isEmpty()) {
      return Optional.of(
          error(
              "7000216",
              "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type."));
    }
    if (!secret.equals(identity.clientSecret())) {
      return Optional.of(
          error(
              "7000215",
              "Invalid client secret provided. Ensure the secret being sent in the request is the client secret"
                  + " value, not the client secret ID, for a secret added to app '"
                  + identity.clientId()
                  + "'."));
    }
    return Optional.empty();
  }

  /** An error as Entra words it; {@code code} with or without its {@code AADSTS}. */
  Answer error(String code, String text) {
    String number = code.toUpperCase(Locale.ROOT).replace("AADSTS", "");
    return error(status(number), number, text);
  }

  private Answer error(int status, String code, String text) {
    String number = code.toUpperCase(Locale.ROOT).replace("AADSTS", "");
    String trace = UUID.randomUUID().toString();
    String correlation = UUID.randomUUID().toString();
    String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", word(number));
    body.put(
        "error_description",
        "AADSTS"
            + number
            + ": "
            + text
            + " Trace ID: "
            + trace
            + " Correlation ID: "
            + correlation
            + " Timestamp: "
            + time);
    body.put(
        "error_codes", number.matches("\\d{1,18}") ? List.of(Long.valueOf(number)) : List.of());
    body.put("timestamp", time);
    body.put("trace_id", trace);
    body.put("correlation_id", correlation);
    body.put("error_uri", "https://login.microsoftonline.com/error?code=" + number);
    return Answer.json(status, body).with("Cache-Control", "no-store, no-cache");
  }

  private static int status(String number) {
    return switch (number) {
      case "7000215",
          "7000222",
          "7000216",
          "700027",
          "700024",
          "700023",
          "700021",
          "50027",
          "5000223" ->
          401;
      default -> 400;
    };
  }

  private static String word(String number) {
    return switch (number) {
      case "7000215",
          "7000222",
          "7000216",
          "700027",
          "700024",
          "700023",
          "700021",
          "50027",
          "5000223",
          "700211",
          "700212",
          "700213" ->
          "invalid_client";
      case "700016" -> "unauthorized_client";
      case "70003" -> "unsupported_grant_type";
      case "500011" -> "invalid_resource";
      case "7000112" -> "unauthorized_client";
      case "53003" -> "access_denied";
      case "90033", "429" -> "temporarily_unavailable";
      default -> "invalid_request";
    };
  }

  private static String unescape(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // A broken escape is passed on as it came; it will match nothing.
      return text;
    }
  }
}
