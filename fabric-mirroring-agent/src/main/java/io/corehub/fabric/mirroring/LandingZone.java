package io.corehub.fabric.mirroring;

import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;
import io.corehub.storage.DfsErrors;
import io.corehub.storage.UploadRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The landing zone and all that requests to it share. Thread-safe.
 *
 * @param connection where it is
 * @param client sends single requests
 * @param retries the one retry policy
 * @param time monotonic time, and waiting
 * @param clock wall clock
 * @param workers threads
 * @param slots bounds what is uploaded at a time
 * @param ids makes unique ids
 * @param prefix folders below the landing zone that hold the table folders
 * @param blockBytes size of an upload block
 * @param blockConcurrency blocks of one file in flight
 * @param close whether the last flush closes a file
 */
record LandingZone(
    OneLakeConnection connection,
    DfsClient client,
    Retries retries,
    Retries.Time time,
    InstantSource clock,
    Workers workers,
    UploadSlots slots,
    Supplier<UUID> ids,
    List<String> prefix,
    int blockBytes,
    int blockConcurrency,
    boolean close) {

  /**
   * A point in time by both clocks: either may stand still, or be set, while a process sleeps.
   *
   * @param nanos monotonic time
   * @param instant wall clock
   */
  record Moment(long nanos, Instant instant) {

    /** Whether more than this has passed since, by either clock. */
    boolean olderThan(Duration age, Moment now) {
      return Duration.ofNanos(now.nanos - nanos).compareTo(age) > 0
          || Duration.between(instant, now.instant).compareTo(age) > 0;
    }
  }

  Moment moment() {
    return new Moment(time.nanos(), clock.instant());
  }

  /** What the uploads share. */
  UploadRoom uploads() {
    return new UploadRoom(client, workers, slots, blockBytes, blockConcurrency, close);
  }

  /** The path of the landing zone itself. */
  String root() {
    return connection.url().path();
  }

  /** The path of the folder that holds the table folders. */
  String tablesRoot() {
    List<String> segments = new ArrayList<>();
    segments.add(root());
    segments.addAll(prefix);
    return String.join("/", segments);
  }

  /** The path of a table's folder. */
  String folder(String tableFolder) {
    return tablesRoot() + "/" + tableFolder;
  }

  /** The URL of a path. */
  String urlOf(String path) {
    return connection.url().withSegments(List.of(path.split("/", -1))).toString();
  }

  /** What Fabric says of itself and the tables. */
  Monitoring monitoring() {
    return new Monitoring(client, connection, prefix);
  }

  /** Runs a step at set-up: transient faults are tried for a bounded time. */
  <T> T atSetUp(Retries.Attempt<T> attempt) throws InterruptedException {
    return retries.call(RetryPolicy.SET_UP, FailureListener.NONE, attempt);
  }

  /** What a person can do about a failure. */
  String advice(DfsException failure) {
    return io.corehub.onelake.Advice.of(connection).of(failure);
  }

  /** The table stops for a failure that will not pass by itself. */
  TableStoppedException stopped(TableId table, DfsException failure) {
    return new TableStoppedException(
        table, DfsErrors.codeOf(failure), "Table " + table + ": " + advice(failure), failure);
  }
}
