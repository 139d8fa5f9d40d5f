package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.server.Namespace.Place;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories in pages. A continuation is the last path of the page before, so that pages
 * stay right while files come and go. Thread-safe.
 */
final class PathListing {
  private static final int MAX_PAGE = 5000;
  private static final long WINDOWS_EPOCH_MILLIS = 11_644_473_600_000L;

  private final FileStore store;
  private final Namespace namespace;

  PathListing(FileStore store, Namespace namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  Answer list(Call call, Place fileSystem) throws IOException {
    String directory = call.parameter("directory").orElse("");
    if (directory.equals("/")) {
      directory = "";
    }
    if (directory.isEmpty() && fileSystem.oneLake()) {
      throw new RefusedException(
          400, "BadRequest", "Either WorkspaceId or ArtifactId are missing in the request");
    }
    Place place = directory.isEmpty() ? fileSystem : inDirectory(call, directory);
    if (place.oneLake() && place.depth() < 2) {
      throw RefusedException.managedFolder();
    }
    if (!store.find(place.storePath()).map(Entry::directory).orElse(false)) {
      throw RefusedException.pathNotFound();
    }
    int limit = limit(call);
    @Nullable String after = call.parameter("continuation").map(PathListing::decode).orElse(null);
    List<Entry> page = new ArrayList<>();
    collect(place.storePath(), after, call.flag("recursive"), page, limit + 1);
    boolean more = page.size() > limit;
    List<Map<String, Object>> paths = new ArrayList<>();
    for (Entry entry : more ? page.subList(0, limit) : page) {
      paths.add(describe(place.shown(entry.path()), entry));
    }
    Answer answer = Answer.json(200, Map.of("paths", paths));
    return more ? answer.with("x-ms-continuation", encode(page.get(limit - 1).path())) : answer;
  }

  private Place inDirectory(Call call, String directory) throws IOException {
    String separator = directory.startsWith("/") ? "" : "/";
    String root =
        call.path().endsWith("/")
            ? call.path().substring(0, call.path().length() - 1)
            : call.path();
    return namespace.resolve(root + separator + directory);
  }

  /** Depth first, by name; {@code after} leaves out everything up to and including that path. */
  private void collect(
      String directory, @Nullable String after, boolean recursive, List<Entry> page, int limit)
      throws IOException {
    String prefix = directory + "/";
    @Nullable String resume = null;
    if (after != null && after.startsWith(prefix)) {
      int end = after.indexOf('/', prefix.length());
      resume = after.substring(prefix.length(), end < 0 ? after.length() : end);
    }
    for (Entry child : store.children(directory)) {
      if (page.size() == limit) {
        return;
      }
      int order = resume == null ? 1 : child.name().compareTo(resume);
      if (order > 0) {
        page.add(child);
      }
      if (recursive && child.directory() && order >= 0) {
        boolean inside = order == 0 && after != null && !after.equals(child.path());
        collect(child.path(), inside ? after : null, true, page, limit);
      }
    }
  }

  private static Map<String, Object> describe(String name, Entry entry) {
    Map<String, Object> path = new LinkedHashMap<>();
    path.put("contentLength", Long.toString(entry.length()));
    path.put(
        "creationTime",
        Long.toString((entry.lastModified().toEpochMilli() + WINDOWS_EPOCH_MILLIS) * 10_000));
    path.put("etag", entry.etag());
    path.put("group", "$superuser");
    if (entry.directory()) {
      path.put("isDirectory", "true");
    }
    path.put("lastModified", PathHeaders.date(entry.lastModified()));
    path.put("name", name);
    path.put("owner", "$superuser");
    path.put("permissions", "---------");
    return path;
  }

  private static int limit(Call call) throws RefusedException {
    String text = call.parameter("maxResults").orElse("");
    if (text.isEmpty()) {
      return MAX_PAGE;
    }
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) == 0) {
      throw RefusedException.invalidQuery("maxResults", text);
    }
    return Math.min(MAX_PAGE, Integer.parseInt(text));
  }

  private static String encode(String path) {
    return Base64.getUrlEncoder().encodeToString(path.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String decode(String continuation) {
    if (continuation.isEmpty()) {
      return null;
    }
    try {
      return new String(Base64.getUrlDecoder().decode(continuation), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Not one of ours: nothing comes after it.
      return "\uffff";
    }
  }
}
