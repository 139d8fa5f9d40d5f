package io.corehub.hub.pipeline;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.CommitSpool;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands over what the selected tables of a source hold now, as a run that begins from nothing would
 * get them, and leaves no trace in the source. Stateless.
 */
public final class SourceReading {

  private static final long SPOOL_MEMORY = 16 << 20;

  private SourceReading() {}

  /**
   * Reads a source once.
   *
   * @param config the pipeline whose source, tables and columns are read
   * @param spool existing private directory
   * @param into takes snapshots and commits
   * @return why tables stopped, for those that did
   * @throws io.corehub.hub.source.SourceException if the source cannot be read
   * @throws InterruptedException if interrupted
   */
  public static Map<TableId, String> of(PipelineConfig config, Path spool, TargetAgent into)
      throws InterruptedException {
    SourceContext context =
        new SourceContext(
            config.id(),
            spool,
            Optional.empty(),
            BeforeImage.FULL,
            config.tables()::selects,
            SPOOL_MEMORY,
            Clock.systemUTC(),
            Meters.NONE);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    Tables tables = new Tables(config.name(), stop -> {});
    // What goes wrong with an opening is thrown by the sink, which waits for each.
    try (Source source = config.source().create(config.sourceSettings(), context);
        TableOpenings openings = new TableOpenings(config.name(), into, tables, thrown -> {});
        SnapshotEnds ends = new SnapshotEnds(config.name(), tables, failure::set);
        CommitSpool withheld = new CommitSpool(spool, SPOOL_MEMORY)) {
      PipelineSink sink =
          new PipelineSink(config.name(), into, config.tables(), tables, openings, ends, withheld);
      source.contents(sink);
      sink.complete();
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return tables.stopped();
  }
}
