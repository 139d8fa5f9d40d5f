package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.store.Entry;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How the service writes what it knows of a path. */
final class PathHeaders {
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private PathHeaders() {}

  static String date(Instant instant) {
    return HTTP_DATE.format(instant);
  }

  static String quoted(String etag) {
    return '"' + etag + '"';
  }

  /** Adds what every answer about an existing path carries. */
  static Answer describe(Answer answer, Entry entry) {
    return answer
        .with("ETag", quoted(entry.etag()))
        .with("Last-Modified", date(entry.lastModified()));
  }

  /** Adds what answers to reads carry besides. */
  static Answer describeFully(Answer answer, Entry entry) {
    describe(answer, entry)
        .with("x-ms-resource-type", entry.directory() ? "directory" : "file")
        .with("x-ms-creation-time", date(entry.lastModified()))
        .with("x-ms-owner", "$superuser")
        .with("x-ms-group", "$superuser")
        .with("x-ms-permissions", "---------")
        .with("x-ms-server-encrypted", "true")
        .with("x-ms-lease-state", "available")
        .with("x-ms-lease-status", "unlocked");
    if (entry.directory()) {
      return answer.with("x-ms-meta-hdi_isfolder", "true");
    }
    return answer
        .with("Content-Type", "application/octet-stream")
        .with("Accept-Ranges", "bytes")
        .with("x-ms-blob-type", "BlockBlob");
  }
}
