package io.corehub.it.sweep;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * A way in which a request goes wrong.
 *
 * @param name for the report
 * @param operations requests it makes sense for
 * @param json the fault as the emulator takes it, given the bytes of the request it strikes
 */
record InjectedFault(String name, Set<String> operations, LongFunction<String> json) {

  /** A client that gives up after three seconds is gone by then. */
  private static final int LONG_MILLIS = 4_500;

  private static final Set<String> WRITES = Set.of("create", "append", "flush", "rename", "delete");
  static final List<String> OPERATIONS =
      List.of("token", "head", "list", "get", "create", "append", "flush", "rename", "delete");
  private static final Set<String> ALL = Set.copyOf(OPERATIONS);

  static List<InjectedFault> all() {
    List<InjectedFault> all = new ArrayList<>();
    all.add(plain("before", ALL, "{\"type\":\"before\"}"));
    all.add(plain("after", ALL, "{\"type\":\"after\"}"));
    all.add(plain("late", WRITES, "{\"type\":\"late\",\"millis\":" + LONG_MILLIS + "}"));
    all.add(plain("hang", ALL, "{\"type\":\"hang\",\"millis\":" + LONG_MILLIS + "}"));
    all.add(
        plain(
            "slow", Set.of("append", "get", "list"), "{\"type\":\"slow\",\"bytesPerSecond\":100}"));
    all.add(plain("short", Set.of("append"), "{\"type\":\"short\"}"));
    all.add(plain("html200", ALL, "{\"type\":\"html200\"}"));
    all.add(
        plain("redirect", ALL, "{\"type\":\"redirect\",\"location\":\"https://localhost:1/\"}"));
    all.add(
        plain(
            "challenge",
            ALL,
            "{\"type\":\"challenge\",\"resource\":\"https://graph.microsoft.com\","
                + "\"tenant\":\"99999999-9999-9999-9999-999999999999\"}"));
    all.add(
        plain(
            "foreignFile",
            Set.of("create", "append", "flush", "rename"),
            "{\"type\":\"foreignFile\",\"content\":\""
                + Base64.getEncoder().encodeToString("not ours".getBytes(StandardCharsets.UTF_8))
                + "\"}"));
    statuses(all);
    Set<String> bodies = Set.of("append", "get", "list");
    all.add(plain("reset at 0", ALL, reset(0)));
    all.add(plain("reset at 1", bodies, reset(1)));
    all.add(new InjectedFault("reset at half", bodies, bytes -> reset(bytes / 2)));
    all.add(new InjectedFault("reset before the last", bodies, bytes -> reset(bytes - 1)));
    return all;
  }

  private static void statuses(List<InjectedFault> all) {
    all.add(status(408, "RequestTimeout", ALL, false));
    all.add(status(409, "PathAlreadyExists", Set.of("create", "rename"), false));
    all.add(status(409, "LeaseIdMissing", WRITES, false));
    all.add(status(412, "ConditionNotMet", WRITES, false));
    all.add(status(429, "TooManyRequests", ALL, false));
    all.add(status(500, "InternalError", ALL, false));
    all.add(status(500, "OperationTimedOut", WRITES, true));
    all.add(status(502, "BadGateway", ALL, false));
    all.add(status(503, "ServerBusy", ALL, false));
    all.add(status(503, "CapacityNotActive", ALL, false));
    all.add(status(404, "CapacityNotActive", ALL, false));
    all.add(status(403, "Forbidden", ALL, false));
    all.add(status(403, "Forbidden", WRITES, true));
    all.add(status(401, "InvalidAuthenticationInfo", ALL, false));
    all.add(status(404, "PathNotFound", ALL, false));
    all.add(status(404, "SourcePathNotFound", Set.of("rename"), true));
    all.add(status(404, "RenameDestinationParentPathNotFound", Set.of("rename"), false));
    all.add(status(400, "InvalidFlushPosition", Set.of("append", "flush"), false));
    all.add(
        plain(
            "503 Retry-After 1",
            ALL,
            "{\"type\":\"status\",\"code\":503,\"errorCode\":\"ServerBusy\",\"headers\":{\"Retry-After\":\"1\"}}"));
    all.add(
        new InjectedFault(
            "429 Retry-After date",
            ALL,
            bytes ->
                "{\"type\":\"status\",\"code\":429,\"errorCode\":\"TooManyRequests\",\"headers\":{\"Retry-After\":\""
                    + DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(4))
                    + "\"}}"));
  }

  private static InjectedFault status(
      int code, String errorCode, Set<String> operations, boolean applied) {
    return plain(
        code + " " + errorCode + (applied ? " (done)" : ""),
        operations,
        "{\"type\":\"status\",\"code\":"
            + code
            + ",\"errorCode\":\""
            + errorCode
            + "\",\"applied\":"
            + applied
            + "}");
  }

  private static String reset(long afterBytes) {
    return "{\"type\":\"reset\",\"afterBytes\":" + Math.max(0, afterBytes) + "}";
  }

  private static InjectedFault plain(String name, Set<String> operations, String json) {
    return new InjectedFault(name, operations, bytes -> json);
  }

  /** Whether requests that meet it for ever are repeated for ever, as decision C9 has it. */
  boolean passing() {
    return Set.of(
            "before",
            "after",
            "hang",
            "503 ServerBusy",
            "500 InternalError",
            "503 CapacityNotActive")
        .contains(name);
  }

  /** The rule for one operation. */
  String rule(String operation, int nth, int times, long requestBytes) {
    String fault = json.apply(requestBytes);
    if (operation.equals("token")) {
      // The codes of storage mean nothing to Entra, which answers with numbers.
      fault = fault.replaceAll("\"errorCode\":\"[^\"]*\"", "\"errorCode\":\"90033\"");
    }
    return "[{\"operation\":\""
        + operation
        + "\",\"nth\":"
        + nth
        + ",\"times\":"
        + times
        + ",\"fault\":"
        + fault
        + "}]";
  }

  @Override
  public String toString() {
    return name;
  }
}
