package io.corehub.cycles;

import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.Publication;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreUpload;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A data file of a cycle, from its first row until it is visible under its name. While it is
 * written it belongs to the owner of the cycle; then it is a publication of its table's lane.
 */
final class Part implements Publication, BlockUpload.StreamedBytes {

  /** What is done before the file appears: a look at the fence, and schema files. */
  interface Before {
    void run() throws InterruptedException;
  }

  private final Cycle cycle;
  private final TableId table;
  private final int version;
  private final int number;
  private final MemoryBudget.Reservation memory;
  private final StoreUpload upload;
  private final DataFileWriter writer;
  private final Before before;
  private long held;
  private @Nullable DataFileFacts facts;
  private volatile boolean becomingVisible;

  /** Whether all its rows belong to a commit that has not come to its end. */
  boolean ofUnfinishedCommit;

  /** The load that its rows are of. */
  Optional<SnapshotStart> ofLoad = Optional.empty();

  /** Whether it stands in the storage. */
  boolean published;

  /** Whether it is given up though its cycle goes on. */
  boolean dropped;

  /**
   * An empty file.
   *
   * @param cycle its cycle
   * @param shape shape of its rows
   * @param version schema version of them
   * @param number from 1 within table and cycle
   * @param path where it is to appear
   * @param store the storage
   * @param encoding how it is written
   * @param memory what it holds is counted here
   * @param before what is done before it appears
   */
  Part(
      Cycle cycle,
      TableShape shape,
      int version,
      int number,
      String path,
      ObjectStore store,
      EncodingChoices encoding,
      MemoryBudget.Reservation memory,
      Before before) {
    this.cycle = cycle;
    this.table = shape.table().table();
    this.version = version;
    this.number = number;
    this.memory = memory;
    this.before = before;
    this.upload = store.upload(path, this);
    this.writer = DataFileWriter.open(shape, encoding, upload);
  }

  Cycle cycle() {
    return cycle;
  }

  TableId table() {
    return table;
  }

  int version() {
    return version;
  }

  int number() {
    return number;
  }

  String path() {
    return upload.path();
  }

  /** Takes rows. */
  void append(CycleRows rows) throws IOException {
    writer.append(rows);
    count();
  }

  private void count() {
    long now = writer.bufferedBytes() + upload.held();
    memory.grow(now - held);
    held = now;
  }

  long rows() {
    return writer.rows();
  }

  /** Memory of what has not left yet. */
  long held() {
    return held;
  }

  /** Whether it has as many rows or bytes as a part may. */
  boolean full(CycleConfig.Parts limits) {
    // Parts have four digits: near their end the parts grow instead of running out of numbers.
    if (number >= CycleFileName.MOST_PARTS) {
      return false;
    }
    long factor = number > 9_000 ? 64 : number > 5_000 ? 8 : 1;
    return writer.rows() >= limits.rows() * factor
        || writer.estimatedBytes() >= limits.bytes() * factor;
  }

  /** No more rows: it can be published. */
  void seal() throws IOException {
    DataFileFacts made = writer.finish(path(), version, number);
    writer.close();
    upload.hashed(made.sha256());
    facts = made;
    count();
  }

  /** What it holds; of a sealed one. */
  DataFileFacts facts() {
    DataFileFacts known = facts;
    if (known == null) {
      throw new IllegalStateException(path() + " is not sealed");
    }
    return known;
  }

  /**
   * What the host is told of it; a truncation is no row of the table.
   *
   * @param timeline of the positions
   */
  PublishedFile told(String timeline) {
    DataFileFacts file = facts();
    return new PublishedFile(
        table,
        ofLoad.isPresent() ? PublishedFile.Kind.SNAPSHOT : PublishedFile.Kind.CHANGES,
        file.path().substring(file.path().lastIndexOf('/') + 1),
        file.counts().total() - file.counts().truncates(),
        file.bytes(),
        ofLoad
            .map(SnapshotStart::consistentAt)
            .orElseGet(
                () ->
                    new SourcePosition(timeline, Sequence.parse(file.lastSequence()).order(), "")));
  }

  boolean sealed() {
    return facts != null;
  }

  @Override
  public void sent(int length) {
    memory.grow(length);
  }

  @Override
  public void acknowledged(int length) {
    memory.grow(-length);
  }

  @Override
  public long bytes() {
    return upload.bytes();
  }

  @Override
  public Step upload() throws InterruptedException {
    return upload.upload();
  }

  @Override
  public Step publish() throws InterruptedException {
    becomingVisible = true;
    before.run();
    Step step = upload.publish();
    if (step instanceof Step.Done) {
      memory.release();
    }
    return step;
  }

  /** Whether it may become visible though it is given up. */
  boolean becomingVisible() {
    return becomingVisible;
  }

  /** Gives it up before it was sealed. */
  void discard() {
    writer.close();
    abandon();
  }

  @Override
  public void abandon() {
    upload.abandon();
    memory.release();
  }
}
