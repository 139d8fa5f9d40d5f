package io.corehub.emulator.internal.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an Azure machine asks for tokens of its own identity: the instance metadata service of
 * virtual machines, and the endpoint of App Service. The emulated application stands for the
 * system-assigned and for the one user-assigned identity. Thread-safe.
 */
final class ManagedIdentityEndpoint implements TokenEndpoint {
  static final String MACHINE_PATH = "/metadata/identity/oauth2/token";
  static final String APP_SERVICE_PATH = "/msi/token";

  private static final String RESOURCE = "https://storage.azure.com";

  private final Identity identity;
  private final String header;
  private final TokenIssuer tokens;

  /**
   * @param header the value that App Service gives its processes to show
   */
  ManagedIdentityEndpoint(Identity identity, String header, TokenIssuer tokens) {
    this.identity = identity;
    this.header = header;
    this.tokens = tokens;
  }

  @Override
  public Answer token(Call call, Map<String, String> form) {
    boolean machine = call.path().equals(MACHINE_PATH);
    if (!machine && !call.path().equals(APP_SERVICE_PATH)) {
      return error(404, "not_found", "There is no " + call.path() + " here.");
    }
    if (!call.method().equals("GET")) {
      return error(405, "method_not_allowed", "Only GET is answered.");
    }
    if (machine && !"true".equals(call.header("metadata").orElse(""))) {
      return error(400, "bad_request_102", "Required metadata header not specified");
    }
    if (!machine && !header.equals(call.header("x-identity-header").orElse(""))) {
      return error(401, "invalid_client", "The identity header is missing or wrong.");
    }
    String version = machine ? "2018-02-01" : "2019-08-01";
    if (!version.equals(call.parameter("api-version").orElse(""))) {
      return error(400, "invalid_request", "The query must hold api-version=" + version + ".");
    }
    String resource = call.parameter("resource").orElse("");
    if (!resource.equals(RESOURCE) && !resource.equals(RESOURCE + "/")) {
      return error(400, "invalid_resource", "The resource '" + resource + "' is not known.");
    }
    String clientId = call.parameter("client_id").orElse(identity.clientId());
    if (!clientId.equalsIgnoreCase(identity.clientId())) {
      return error(400, "invalid_request", "Identity not found");
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("access_token", tokens.issue(identity.clientId()));
    answer.put("client_id", identity.clientId());
    answer.put("expires_in", Long.toString(tokens.lifetime().toSeconds()));
    answer.put("expires_on", Long.toString(tokens.end().getEpochSecond()));
    answer.put("resource", resource);
    answer.put("token_type", "Bearer");
    return Answer.json(200, answer);
  }

  @Override
  public Answer injected(int status, String code) {
    return error(status, code, "Injected by a fault rule.");
  }

  private static Answer error(int status, String code, String text) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", code);
    body.put("error_description", text);
    return Answer.json(status, body);
  }
}
