package io.corehub.hub.debezium;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableEvent;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.Undelivered;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The events of one transaction until its end is known: in memory up to a bound, above it in a
 * private file that only its owner may read. Events come back in the order they were added.
 * Confined to one caller at a time.
 *
 * <ol>
 *   <li>{@link #add} the parts.
 *   <li>{@link #drain} them once.
 *   <li>{@link #close()} deletes the file.
 * </ol>
 */
final class Spool implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final FileAttribute<?>[] OWNER_ONLY =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private final Path directory;
  private final long memoryBytes;
  private final List<Part> parts = new ArrayList<>();
  private long bytes;
  private @Nullable Path file;
  private @Nullable FileChannel channel;
  private @Nullable DataOutputStream out;

  /** Takes the events of one part. */
  @FunctionalInterface
  interface Output {
    /**
     * Takes the events.
     *
     * @param events events in order, given away
     * @param last whether no part follows
     * @throws InterruptedException if interrupted
     */
    void accept(List<TableEvent> events, boolean last) throws InterruptedException;
  }

  /** Events that are at hand, or shells of those whose columns are in the file. */
  private record Part(List<Item> items) {}

  private sealed interface Item {}

  private record AtHand(TableEvent event) implements Item {}

  private record InFile(
      TableSchema schema, int rows, Undelivered undelivered, BeforeImage beforeImages)
      implements Item {}

  Spool(Path directory, long memoryBytes) {
    this.directory = directory;
    this.memoryBytes = memoryBytes;
  }

  /** Whether the bound was passed and a file is in use. */
  boolean onDisk() {
    return file != null;
  }

  void add(List<TableEvent> events) {
    List<Item> items = new ArrayList<>();
    for (TableEvent event : events) {
      if (event instanceof RowChanges changes) {
        bytes += changes.rows().bytes();
      }
      items.add(new AtHand(event));
    }
    parts.add(new Part(items));
    if (bytes > memoryBytes) {
      moveToFile();
    }
  }

  private void moveToFile() {
    try {
      if (out == null) {
        Files.createDirectories(directory);
        file = directory.resolve("transaction-" + UUID.randomUUID() + ".spool");
        channel =
            FileChannel.open(
                file,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.READ),
                OWNER_ONLY);
        out =
            new DataOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
      }
      for (Part part : parts) {
        for (int i = 0; i < part.items.size(); i++) {
          if (part.items.get(i) instanceof AtHand atHand
              && atHand.event instanceof RowChanges changes) {
            part.items.set(i, write(out, changes));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "A large transaction cannot be spooled below "
              + directory
              + ". Make room there, or move stateDirectory to a larger disk.",
          e);
    }
  }

  private static InFile write(DataOutputStream out, RowChanges changes) throws IOException {
    int rows = changes.rowCount();
    for (int row = 0; row < rows; row++) {
      out.writeByte(changes.kind(row).code());
    }
    for (ColumnVector vector : changes.rows().columns()) {
      SpooledVectors.write(out, vector);
    }
    return new InFile(changes.rows().schema(), rows, changes.undelivered(), changes.beforeImages());
  }

  /**
   * Hands the parts over in order, each read into memory when its turn comes.
   *
   * @param output takes the parts; at least one, which may be empty
   * @throws InterruptedException if interrupted
   */
  void drain(Output output) throws InterruptedException {
    if (parts.isEmpty()) {
      output.accept(List.of(), true);
      return;
    }
    try {
      DataInputStream in = input();
      for (int i = 0; i < parts.size(); i++) {
        List<TableEvent> events = new ArrayList<>();
        for (Item item : parts.get(i).items) {
          events.add(item instanceof AtHand atHand ? atHand.event : read(in, (InFile) item));
        }
        output.accept(events, i == parts.size() - 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The spool file " + file + " cannot be read back", e);
    }
  }

  private DataInputStream input() throws IOException {
    if (out == null || channel == null) {
      return new DataInputStream(InputStream.nullInputStream());
    }
    out.flush();
    channel.position(0);
    return new DataInputStream(
        new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
  }

  private static RowChanges read(DataInputStream in, InFile item) throws IOException {
    byte[] kinds = new byte[item.rows];
    in.readFully(kinds);
    for (byte kind : kinds) {
      if (kind < 0 || kind >= ChangeKind.values().length) {
        throw new IOException("Not a kind of change: " + kind);
      }
    }
    List<ColumnVector> vectors = new ArrayList<>();
    for (int i = 0; i < item.schema.columns().size(); i++) {
      vectors.add(
          SpooledVectors.read(in, item.schema.columns().get(i).type().storage(), item.rows));
    }
    return new RowChanges(
        new ColumnBatch(item.schema, item.rows, vectors),
        kinds,
        new int[item.rows],
        item.undelivered,
        item.beforeImages);
  }

  @Override
  public void close() {
    parts.clear();
    try {
      if (channel != null) {
        channel.close();
      }
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The spool file " + file + " cannot be deleted", e);
    }
  }
}
