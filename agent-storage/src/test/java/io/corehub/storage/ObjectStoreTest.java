package io.corehub.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import io.corehub.onelake.local.LocalDfsClient;
import io.corehub.onelake.memory.Faults;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.WorkerPools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files appear whole, are never replaced, and are known again when an answer is lost. */
class ObjectStoreTest {

  private static final byte[] CONTENT = "one,two\n".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;
  private final WorkerPools workers = new WorkerPools("test", 1);
  private final InMemoryFileSystem memory = new InMemoryFileSystem(Clock.systemUTC());

  @AfterEach
  void close() {
    workers.close();
  }

  private ObjectStore store(DfsClient client) {
    return new DfsObjectStore(
        new UploadRoom(
            client, workers, new UploadSlots(workers.uploads(), 4, 1 << 20), 1 << 16, 2, true),
        new DfsObjectStore.Root("", "memory:", failure -> String.valueOf(failure.getMessage())),
        new DfsObjectStore.Repeating(
            new Retries(Retries.Time.SYSTEM, new Random(1)::nextDouble),
            Retries.Time.SYSTEM,
            RetryPolicy.within(Duration.ofSeconds(20)),
            Duration.ofSeconds(600),
            new Patience.Listener() {
              @Override
              public void failing(DfsException failure) {}

              @Override
              public void outOfBudget(DfsException failure, Duration since) {}

              @Override
              public void recovered() {}
            }),
        UUID::randomUUID);
  }

  private ObjectStore store(String kind) {
    return store(
        kind.equals("local") ? new LocalDfsClient(directory.resolve("root")) : memory.client());
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "local"})
  void aFileAppearsWholeAndLeavesNothingBesides(String kind) throws InterruptedException {
    ObjectStore store = store(kind);

    store.publish("a/b/file.csv", CONTENT);

    assertThat(store.read("a/b/file.csv", 100)).contains(CONTENT);
    assertThat(store.list("a", true))
        .extracting(ObjectStore.Entry::path)
        .containsExactlyInAnyOrder("a/b", "a/b/file.csv");
    assertThat(store.list("nowhere", true)).isEmpty();
    assertThat(store.read("a/b/other.csv", 100)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "local"})
  void theSameBytesCountAsOursAndOthersAreAConflict(String kind) throws InterruptedException {
    ObjectStore store = store(kind);
    store.publish("file.csv", CONTENT);

    store.publish("file.csv", CONTENT);

    assertThatThrownBy(
            () -> store.publish("file.csv", "two,one\n".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .hasMessageContaining("file.csv");
    assertThat(store.read("file.csv", 100)).contains(CONTENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "local"})
  void deletingTakesFoldersWithAllTheyHoldAndMissingOnesToo(String kind)
      throws InterruptedException {
    ObjectStore store = store(kind);
    store.publish("a/b/file.csv", CONTENT);

    store.delete("a");
    store.delete("a");

    assertThat(store.list("", true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CREATE", "APPEND", "RENAME"})
  void aLostAnswerLeavesOneFile(String operation) throws InterruptedException {
    AtomicInteger left = new AtomicInteger(1);
    ObjectStore store =
        store(
            memory.client(
                new Faults() {
                  @Override
                  public void after(Request request) {
                    if (request.operation().name().equals(operation)
                        && left.getAndDecrement() > 0) {
                      throw DfsException.of(DfsException.Kind.CONNECTION_LOST, "test")
                          .outcomeUnknown(true)
                          .build("lost");
                    }
                  }
                }));

    store.publish("file.csv", CONTENT);

    assertThat(store.read("file.csv", 100)).contains(CONTENT);
    assertThat(store.list("", false))
        .filteredOn(entry -> !DfsObjectStore.isTemporary(entry.name()))
        .hasSize(1);
  }

  @Test
  void whatIsRefusedNamesTheFile() {
    ObjectStore store =
        store(
            memory.client(
                new Faults() {
                  @Override
                  public void before(Request request) {
                    throw DfsException.of(DfsException.Kind.FORBIDDEN, "create")
                        .status(403)
                        .build("HTTP 403");
                  }
                }));

    assertThatThrownBy(() -> store.publish("a/file.csv", CONTENT))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS))
        .hasMessageContaining("a/file.csv");
  }
}
