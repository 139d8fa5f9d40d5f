package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.emulator.internal.replica.ReplicatorSwitch;
import java.io.IOException;
import java.util.Map;

/** Faults, the request log and the replicator's switch over HTTP, without a token. Thread-safe. */
final class ControlEndpoint {
  private final FaultRules faults;
  private final RequestLog log;
  private final ReplicatorSwitch replicator;
  private final ObjectMapper mapper = new ObjectMapper();

  ControlEndpoint(FaultRules faults, RequestLog log, ReplicatorSwitch replicator) {
    this.replicator = replicator;
    this.faults = faults;
    this.log = log;
  }

  Answer handle(Call call) throws IOException {
    String wanted = call.method() + " " + call.path().substring(RequestHandler.CONTROL.length());
    return switch (wanted) {
      case "POST /faults" -> add(call);
      case "DELETE /faults" -> {
        faults.clear();
        yield Answer.empty(204);
      }
      case "GET /faults" -> Answer.json(200, faults.describe());
      case "GET /requests" -> requests(call.parameter("after").orElse("0"));
      case "DELETE /requests" -> {
        log.clear();
        yield Answer.empty(204);
      }
      case "GET /replicator" -> replicator();
      case "POST /replicator" -> turn(call);
      default ->
          error(
              404,
              "no control operation '"
                  + wanted
                  + "'; there are POST, GET, DELETE /faults, GET, DELETE /requests and GET, POST"
                  + " /replicator");
    };
  }

  private Answer requests(String after) {
    if (!after.matches("\\d{1,18}")) {
      return error(400, "after is '" + after + "', must be the id of a request");
    }
    return Answer.json(200, log.describe(Long.parseLong(after)));
  }

  private Answer add(Call call) throws IOException {
    byte[] body = call.body().readAllBytes();
    try {
      faults.add(mapper.readTree(body));
      return Answer.json(200, faults.describe());
    } catch (JsonProcessingException e) {
      return error(400, "the fault rules are not JSON: " + e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      return error(400, String.valueOf(e.getMessage()));
    }
  }

  private Answer replicator() {
    return Answer.json(200, Map.of("status", replicator.mode().word()));
  }

  private Answer turn(Call call) throws IOException {
    try {
      replicator.turn(mapper.readTree(call.body().readAllBytes()).path("status").asText());
      return replicator();
    } catch (JsonProcessingException e) {
      return error(400, "the body is not JSON: " + e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      return error(400, String.valueOf(e.getMessage()));
    }
  }

  private static Answer error(int status, String message) {
    return Answer.json(status, Map.of("error", Map.of("code", "BadControl", "message", message)));
  }
}
