package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.onelake.DfsException;
import io.corehub.runtime.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The files of a staged snapshot, all uploaded, in the order in which they get their numbers. Once
 * it stands in the table folder the snapshot is complete, whoever does the renames. Immutable.
 *
 * @param id its own id, part of its name
 * @param pipeline pipeline that wrote it
 * @param table table, as text
 * @param snapshot id of the snapshot
 * @param prev file id of the number before the first file; empty if that is number 1
 * @param epoch epoch of the run that wrote the files
 * @param writer id of that run
 * @param files its files; their numbers follow each other
 */
record SnapshotManifest(
    UUID id,
    String pipeline,
    String table,
    String snapshot,
    Optional<UUID> prev,
    long epoch,
    UUID writer,
    List<Entry> files) {

  /** More files than this are not staged: the manifest must stay small enough to be read whole. */
  static final int MOST_FILES = 50_000;

  /**
   * Longest manifest that is read, in bytes. It names every file of a snapshot, and so may be
   * longer than other JSON of a landing zone, which {@link Json#MAX_BYTES} bounds.
   */
  static final int MAX_BYTES = 16 << 20;

  private static final int VERSION = 1;

  /**
   * An uploaded file.
   *
   * @param seq the number it gets
   * @param fileId its id
   * @param temporary name it is uploaded under, in the table folder
   * @param length its length in bytes
   */
  record Entry(long seq, UUID fileId, String temporary, long length) {
    Entry {
      if (!FileName.isTemporary(temporary) || seq < 1 || length < 1) {
        throw new IllegalArgumentException("its entry " + Text.shown(temporary) + " is no upload");
      }
    }

    FileFacts facts() {
      return new FileFacts(seq, fileId, List.of());
    }
  }

  SnapshotManifest {
    files = List.copyOf(files);
    for (int i = 1; i < files.size(); i++) {
      if (files.get(i).seq() != files.get(0).seq() + i) {
        throw new IllegalArgumentException("its numbers do not follow each other");
      }
    }
  }

  String name() {
    return FileName.manifest(id);
  }

  long first() {
    return files.get(0).seq();
  }

  long last() {
    return files.get(files.size() - 1).seq();
  }

  /** The same of these files. */
  SnapshotManifest of(List<Entry> entries) {
    return new SnapshotManifest(id, pipeline, table, snapshot, prev, epoch, writer, entries);
  }

  byte[] toJson() {
    ObjectNode json = Json.object();
    json.put("v", VERSION);
    json.put("id", id.toString());
    json.put("pipeline", pipeline);
    json.put("table", table);
    json.put("snapshot", snapshot);
    prev.ifPresent(before -> json.put("prev", before.toString()));
    json.put("epoch", epoch);
    json.put("writer", writer.toString());
    ArrayNode array = json.putArray("files");
    for (Entry file : files) {
      array
          .addObject()
          .put("seq", file.seq)
          .put("fileId", file.fileId.toString())
          .put("temporary", file.temporary)
          .put("length", file.length);
    }
    return Json.bytes(json);
  }

  /**
   * Reads a manifest.
   *
   * @throws IllegalArgumentException if it is none of this release, with the reason
   */
  static SnapshotManifest parse(String text) {
    JsonNode json = Json.parse(text);
    int version = Json.required(json, "v").intValue();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "it is of version " + version + ", and this release knows version " + VERSION);
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode file : Json.required(json, "files")) {
      entries.add(
          new Entry(
              Json.required(file, "seq").longValue(),
              id(file, "fileId"),
              Json.required(file, "temporary").asText(),
              Json.required(file, "length").longValue()));
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("it names no files");
    }
    return new SnapshotManifest(
        id(json, "id"),
        Json.required(json, "pipeline").asText(),
        Json.required(json, "table").asText(),
        Json.required(json, "snapshot").asText(),
        Json.text(json, "prev").map(UUID::fromString),
        Json.required(json, "epoch").longValue(),
        id(json, "writer"),
        entries);
  }

  private static UUID id(JsonNode json, String field) {
    return UUID.fromString(Json.required(json, field).asText());
  }

  /** Deletes a manifest; it is gone when this returns. One attempt. */
  static void delete(LandingZone zone, String path) throws InterruptedException {
    try {
      zone.client().delete(path, false);
    } catch (DfsException e) {
      if (e.kind() != DfsException.Kind.NOT_FOUND) {
        throw e;
      }
    }
  }
}
