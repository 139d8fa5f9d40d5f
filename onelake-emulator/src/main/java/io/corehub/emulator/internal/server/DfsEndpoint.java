package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.server.Namespace.Place;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The DFS requests of OneLake, with its strictness. Thread-safe. */
final class DfsEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(DfsEndpoint.class);
  private static final Pattern VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final List<String> IGNORED_HEADERS =
      List.of(
          "x-ms-owner",
          "x-ms-group",
          "x-ms-permissions",
          "x-ms-umask",
          "x-ms-acl",
          "x-ms-access-tier",
          "x-ms-encryption-scope",
          "x-ms-encryption-key",
          "x-ms-encryption-key-sha256",
          "x-ms-encryption-algorithm",
          "x-ms-encryption-context");

  private final Identity identity;
  private final TokenIssuer tokens;
  private final String authorityHost;
  private final Namespace namespace;
  private final PathReads reads;
  private final PathListing listing;
  private final PathWrites writes;
  private final FileAppends appends;

  DfsEndpoint(
      Identity identity,
      TokenIssuer tokens,
      String authorityHost,
      FileStore store,
      PathLocks locks) {
    this.identity = identity;
    this.tokens = tokens;
    this.authorityHost = authorityHost;
    this.namespace = new Namespace(identity, store);
    this.appends = new FileAppends(store, locks);
    this.reads = new PathReads(store);
    this.listing = new PathListing(store, namespace);
    this.writes = new PathWrites(store, locks, namespace, appends);
  }

  /** Carries out a request; a refusal is an answer as well. */
  Answer handle(Call call) throws IOException {
    Answer answer;
    try {
      answer = route(call);
    } catch (RefusedException e) {
      answer = dfsError(e);
      if (e.status() == 401) {
        answer.with(
            "WWW-Authenticate", challenge(identity.tenantId(), "https://storage.azure.com"));
      }
    } catch (NoSuchFileException e) {
      // Deleted by hand between the look and the deed.
      answer = dfsError(RefusedException.pathNotFound());
    } catch (FileSystemException e) {
      LOG.debug("{} {} is refused by the file system", call.method(), call.path(), e);
      answer =
          dfsError(
              new RefusedException(
                  400,
                  "InvalidResourceName",
                  "The specified resource name cannot be stored: " + e.getReason()));
    }
    String rejected =
        String.join(",", IGNORED_HEADERS.stream().filter(call.headers()::containsKey).toList());
    return rejected.isEmpty() ? answer : answer.with("x-ms-rejected-headers", rejected);
  }

  /** What OneLake answers with a code, whatever was asked. */
  Answer injected(Call call, int status, String code) {
    return Answer.dfsError(status, code, RefusedException.text(code, call.path()));
  }

  private static Answer dfsError(RefusedException e) {
    return Answer.dfsError(e.status(), e.code(), e.text());
  }

  String challenge(String tenant, String resource) {
    return "Bearer authorization_uri="
        + authorityHost
        + tenant
        + "/oauth2/authorize resource_id="
        + resource;
  }

  /** Puts a file where the request points: its path, or the destination of a rename. */
  void plant(Call call, byte[] content) throws IOException {
    writes.plant(namespace.resolve(call.path()), content);
  }

  private Answer route(Call call) throws IOException {
    requireToken(call);
    requireVersion(call);
    Place place = namespace.resolve(call.path());
    if (place.fileSystem()
        && call.operation() != Operation.HEAD
        && call.operation() != Operation.LIST) {
      throw new RefusedException(
          400, "BadRequest", "Either WorkspaceId or ArtifactId are missing in the request");
    }
    return switch (call.operation()) {
      case CREATE -> writes.create(call, place);
      case APPEND -> appends.append(call, place);
      case FLUSH -> appends.flush(call, place);
      case RENAME -> writes.rename(call, place);
      case HEAD -> reads.head(call, place);
      case LIST -> listing.list(call, requireFileSystem(place));
      case GET -> reads.get(call, place);
      case DELETE -> writes.delete(call, place);
      case TOKEN, OTHER ->
          throw new RefusedException(
              400,
              "UnsupportedQueryParameter",
              "One of the query parameters specified in the request URI is not supported: "
                  + call.method()
                  + " with action "
                  + call.parameter("action").orElse("(none)"));
    };
  }

  private static Place requireFileSystem(Place place) throws RefusedException {
    if (!place.fileSystem()) {
      throw RefusedException.invalidQuery("resource", "filesystem");
    }
    return place;
  }

  private void requireToken(Call call) throws RefusedException {
    String header = call.header("authorization").orElse("");
    if (header.isEmpty()) {
      throw new RefusedException(
          401,
          "NoAuthenticationInformation",
          "Server failed to authenticate the request. Please refer to the information in the www-authenticate header.");
    }
    boolean bearer = header.toLowerCase(Locale.ROOT).startsWith("bearer ");
    TokenIssuer.Verdict verdict =
        bearer ? tokens.check(header.substring(7).trim()) : TokenIssuer.Verdict.UNKNOWN;
    switch (verdict) {
      case ACCEPTED -> {}
      case EXPIRED ->
          throw new RefusedException(
              401,
              "InvalidAuthenticationInfo",
              "Lifetime validation failed. The token is expired.");
      case UNKNOWN ->
          throw new RefusedException(
              401,
              "InvalidAuthenticationInfo",
              "Server failed to authenticate the request. The token was not issued for this service.");
    }
  }

  private static void requireVersion(Call call) throws RefusedException {
    String version = call.header("x-ms-version").orElse("");
    if (version.isEmpty()) {
      throw new RefusedException(
          400,
          "MissingRequiredHeader",
          "An HTTP header that's mandatory for this request is not specified. x-ms-version");
    }
    if (!VERSION.matcher(version).matches()) {
      throw RefusedException.invalidHeader("x-ms-version", version);
    }
  }
}
