package io.corehub.hub.pipeline;

import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Shown;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of a pipeline and why some of them stopped. Thread-safe. */
final class Tables {

  private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

  private final String pipeline;
  private final Consumer<TableStoppedException> stopTold;
  private final ConcurrentMap<TableId, TableFeed> feeds = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableId, String> stops = new ConcurrentHashMap<>();

  /**
   * No table yet.
   *
   * @param pipeline name of the pipeline
   * @param stopTold told once of each table that stopped
   */
  Tables(String pipeline, Consumer<TableStoppedException> stopTold) {
    this.pipeline = pipeline;
    this.stopTold = stopTold;
  }

  void add(TableFeed feed) {
    feeds.put(feed.id(), feed);
    if (stops.containsKey(feed.id())) {
      feed.stop();
    }
  }

  Optional<TableFeed> find(TableId table) {
    return Optional.ofNullable(feeds.get(table));
  }

  Collection<TableFeed> all() {
    return feeds.values();
  }

  /** Stops a table; the first reason counts. */
  void stop(TableStoppedException reason) {
    String message = Shown.message(String.valueOf(reason.getMessage()));
    if (stops.putIfAbsent(reason.table(), message) == null) {
      LOG.error("{}: {}", pipeline, message);
      stopTold.accept(reason);
    }
    find(reason.table()).ifPresent(TableFeed::stop);
  }

  /** Why tables stopped, by table. */
  Map<TableId, String> stopped() {
    return new TreeMap<>(stops);
  }
}
