package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.OneLakeConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The folder beside the landing zone in which Fabric says how it gets on. Each read is one request
 * and a single attempt. Thread-safe.
 */
final class Monitoring {

  private static final String LANDING_ZONE = "LandingZone";
  private static final String SCHEMA_SUFFIX = ".schema";

  private final DfsClient client;
  private final String folder;
  private final List<String> prefix;

  /** What a look at a file of Fabric's found. */
  sealed interface Reading<T> {

    /** The file says this. */
    record Known<T>(T value) implements Reading<T> {}

    /** There is no such file, as before the mirrored database was first started. */
    record Absent<T>() implements Reading<T> {}

    /**
     * It cannot be made sense of at the moment; Fabric may be writing it.
     *
     * @param why ends a sentence
     */
    record Unreadable<T>(String why) implements Reading<T> {}

    /** The value, if it is known. */
    default Optional<T> known() {
      return this instanceof Known<T> found ? Optional.of(found.value()) : Optional.empty();
    }
  }

  /**
   * For one landing zone.
   *
   * @param client reads the files
   * @param connection where the landing zone is
   * @param prefix folders below the landing zone that hold the table folders
   */
  Monitoring(DfsClient client, OneLakeConnection connection, List<String> prefix) {
    this.client = client;
    this.folder = folderOf(connection);
    this.prefix = List.copyOf(prefix);
  }

  /** How the mirrored database as a whole gets on. */
  Reading<ReplicatorReport> replicator() throws InterruptedException {
    return read("replicator.json", MonitoringText::replicator);
  }

  /** How its tables get on. */
  Reading<List<TableReport>> tables() throws InterruptedException {
    return read("tables.json", MonitoringText::tables);
  }

  /** The report of one table among those of all. */
  Optional<TableReport> find(TableId table, List<TableReport> reports) {
    Optional<TableReport> exact =
        reports.stream()
            .filter(r -> r.name().equals(table.name()) && r.schema().equals(schemaOf(table)))
            .findFirst();
    return exact.or(
        () ->
            reports.stream()
                .filter(
                    r ->
                        r.name().equalsIgnoreCase(table.name())
                            && r.schema().equalsIgnoreCase(schemaOf(table)))
                .findFirst());
  }

  /** The schema Fabric finds the table in: its own or, without one, that of the custom prefix. */
  private String schemaOf(TableId table) {
    if (table.schema().isPresent() || prefix.isEmpty() || !FolderName.knownToFabric(prefix)) {
      return table.schema().orElse("");
    }
    String last = prefix.get(0);
    return last.substring(0, last.length() - SCHEMA_SUFFIX.length());
  }

  private <T> Reading<T> read(String name, Function<byte[], T> reader) throws InterruptedException {
    byte[] content;
    try {
      content = client.read(folder + "/" + name, 0, Json.MAX_BYTES + 1);
    } catch (DfsException e) {
      if (e.kind() == DfsException.Kind.NOT_FOUND) {
        return new Reading.Absent<>();
      }
      throw e;
    }
    try {
      return new Reading.Known<>(reader.apply(content));
    } catch (IllegalArgumentException e) {
      return new Reading.Unreadable<>(
          folder + "/" + name + " cannot be read now: " + e.getMessage());
    }
  }

  private static String folderOf(OneLakeConnection connection) {
    List<String> segments = connection.url().segments();
    int at = segments.indexOf(LANDING_ZONE);
    List<String> path = new ArrayList<>(segments.subList(0, at < 0 ? segments.size() : at));
    path.add("Monitoring");
    return String.join("/", path);
  }
}
