package io.corehub.storage;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store behind a {@link DfsClient}: OneLake, ADLS Gen2, or a folder of this machine. A file is
 * written to {@code _tmp_<name>.<id>} beside its place, and renamed. Thread-safe.
 */
public final class DfsObjectStore implements ObjectStore {

  /** How names of files begin that are not whole yet. */
  public static final String TEMPORARY = "_tmp_";

  private final UploadRoom room;
  private final Root root;
  private final Retries retries;
  private final Retries.Time time;
  private final RetryPolicy policy;
  private final Supplier<UUID> ids;
  private final Duration budget;
  private final Patience.Listener listener;

  /**
   * Where a store lies.
   *
   * @param path path of its root as the client takes it; empty for the client's own root
   * @param address address of its root, for people and consumers
   * @param advice what a person can do about a failure
   */
  public record Root(String path, String address, Function<DfsException, String> advice) {

    String of(String relative) {
      return path.isEmpty() ? relative : relative.isEmpty() ? path : path + "/" + relative;
    }

    String relative(String absolute) {
      return path.isEmpty() ? absolute : absolute.substring(path.length() + 1);
    }
  }

  /**
   * How failed requests are repeated.
   *
   * @param retries the one retry policy's keeper
   * @param time monotonic time, and waiting
   * @param policy how long requests are repeated
   * @param budget how long they may fail before there is a notice
   * @param listener told of failures
   */
  public record Repeating(
      Retries retries,
      Retries.Time time,
      RetryPolicy policy,
      Duration budget,
      Patience.Listener listener) {}

  /**
   * A store.
   *
   * @param room what uploads share
   * @param root where it lies
   * @param repeating how failed requests are repeated
   * @param ids makes unique ids
   */
  public DfsObjectStore(UploadRoom room, Root root, Repeating repeating, Supplier<UUID> ids) {
    this.room = room;
    this.root = root;
    this.retries = repeating.retries;
    this.time = repeating.time;
    this.policy = repeating.policy;
    this.budget = repeating.budget;
    this.listener = repeating.listener;
    this.ids = ids;
  }

  /**
   * Whether a name is that of a file under construction.
   *
   * @param name last segment of a path
   * @return true if nobody but its writer needs it
   */
  public static boolean isTemporary(String name) {
    return name.startsWith(TEMPORARY);
  }

  @Override
  public StoreUpload upload(String path, BlockUpload.StreamedBytes bytes) {
    return new Upload(path, bytes, null);
  }

  @Override
  public void publish(String path, byte[] content) throws InterruptedException {
    FileBytes bytes = new FileBytes(room.blockBytes());
    Upload upload = new Upload(path, NOBODY, bytes);
    upload.write(content, 0, content.length);
    upload.complete();
    upload.hashed(Sha256.of(content));
    try {
      drive(upload::upload);
      drive(upload::publish);
    } catch (RuntimeException | InterruptedException e) {
      upload.abandon();
      throw e;
    }
  }

  private static final BlockUpload.StreamedBytes NOBODY =
      new BlockUpload.StreamedBytes() {
        @Override
        public void sent(int length) {}

        @Override
        public void acknowledged(int length) {}
      };

  /** Keeps the calling thread until a phase is complete, within the budget of the policy. */
  private void drive(Patience.Phase phase) throws InterruptedException {
    long began = time.nanos();
    while (true) {
      Publication.Step step = phase.run();
      if (step instanceof Publication.Step.Done) {
        return;
      }
      if (step instanceof Publication.Step.Again again) {
        Duration passed = Duration.ofNanos(time.nanos() - began).plus(again.pause());
        if (policy.budget().isPresent() && passed.compareTo(policy.budget().get()) > 0) {
          throw outOfPatience();
        }
        time.sleep(again.pause());
      } else if (step instanceof Publication.Step.After after) {
        try {
          after.other().toCompletableFuture().get();
        } catch (ExecutionException e) {
          throw new IllegalStateException("What is waited for tells its failure elsewhere", e);
        }
      }
    }
  }

  private volatile @Nullable DfsException lastFailure;

  private StoreException outOfPatience() {
    DfsException last = lastFailure;
    DfsException failure =
        last == null ? DfsException.of(Kind.TRANSIENT, "publish").build("It failed.") : last;
    return failed(root.path(), failure);
  }

  @Override
  public Optional<byte[]> read(String path, int most) throws InterruptedException {
    return call(
        path,
        () -> {
          Optional<PathProperties> there = room.client().head(root.of(path));
          if (there.isEmpty() || there.get().directory()) {
            return Optional.empty();
          }
          long length = there.get().length();
          if (length > most) {
            throw new StoreException(
                io.corehub.agent.ErrorCode.CONFLICT,
                root.address()
                    + "/"
                    + path
                    + " has "
                    + length
                    + " bytes, more than the "
                    + most
                    + " it may have. Find out who wrote it.");
          }
          byte[] bytes = new byte[Math.toIntExact(length)];
          for (int at = 0; at < bytes.length; ) {
            byte[] part =
                room.client()
                    .read(root.of(path), at, Math.min(bytes.length - at, DfsClient.MAX_READ_BYTES));
            if (part.length == 0) {
              return Optional.empty();
            }
            System.arraycopy(part, 0, bytes, at, part.length);
            at += part.length;
          }
          return Optional.of(bytes);
        });
  }

  @Override
  public List<Entry> list(String folder, boolean recursive, Predicate<Entry> wanted)
      throws InterruptedException {
    return call(
        folder,
        () -> {
          List<Entry> entries = new ArrayList<>();
          try {
            room.client()
                .list(
                    root.of(folder),
                    recursive,
                    path -> {
                      Entry entry =
                          new Entry(
                              root.relative(path.path()),
                              path.directory(),
                              path.length(),
                              path.lastModified());
                      if (wanted.test(entry)) {
                        entries.add(entry);
                      }
                    });
          } catch (DfsException e) {
            if (e.kind() != Kind.NOT_FOUND) {
              throw e;
            }
            entries.clear();
          }
          return entries;
        });
  }

  @Override
  public void delete(String path) throws InterruptedException {
    call(
        path,
        () -> {
          try {
            room.client().delete(root.of(path), true);
          } catch (DfsException e) {
            if (e.kind() != Kind.NOT_FOUND) {
              throw e;
            }
          }
          return path;
        });
  }

  @Override
  public String address(String path) {
    return path.isEmpty() ? root.address() : root.address() + "/" + path;
  }

  @Override
  public void close() {
    room.client().close();
  }

  private <T> T call(String path, Retries.Attempt<T> attempt) throws InterruptedException {
    try {
      return retries.call(
          policy,
          failure -> {
            lastFailure = failure.cause();
            listener.failing(failure.cause());
            if (failure.sinceFirst().compareTo(budget) > 0) {
              listener.outOfBudget(failure.cause(), failure.sinceFirst());
            }
          },
          attempt);
    } catch (DfsException e) {
      throw failed(path, e);
    }
  }

  private StoreException failed(String path, DfsException failure) {
    return new StoreException(
        DfsErrors.codeOf(failure),
        failure.transientFault(),
        (path.isEmpty() ? "" : root.address() + "/" + path + ": ") + root.advice().apply(failure),
        failure);
  }

  /** One file on its way. */
  private final class Upload implements StoreUpload, UploadPlace {

    private final String path;
    private final Patience patience = new Patience(retries, time, budget, this.news());
    private final BlockUpload upload;
    private final FileUpload way;
    private String sha256 = "";
    private long length;

    Upload(String path, BlockUpload.StreamedBytes streamed, @Nullable FileBytes kept) {
      this.path = path;
      this.upload =
          kept == null
              ? BlockUpload.streamed(room, this, unusedPath(), streamed, patience)
              : BlockUpload.kept(room, this, unusedPath(), kept, patience);
      String full = root.of(path);
      this.way =
          new FileUpload(
              upload,
              new ExclusiveRename(
                  room.client(),
                  full,
                  there -> SameBytes.require(room.client(), full, there, length, sha256)),
              patience);
    }

    private Patience.Listener news() {
      return new Patience.Listener() {
        @Override
        public void failing(DfsException failure) {
          lastFailure = failure;
          listener.failing(failure);
        }

        @Override
        public void outOfBudget(DfsException failure, Duration since) {
          listener.outOfBudget(failure, since);
        }

        @Override
        public void recovered() {
          listener.recovered();
        }
      };
    }

    @Override
    public Object file() {
      return this;
    }

    @Override
    public String unusedPath() {
      int slash = path.lastIndexOf('/') + 1;
      return root.of(
          path.substring(0, slash) + TEMPORARY + path.substring(slash) + "." + ids.get());
    }

    @Override
    public void beforeCreate() {}

    @Override
    public void beforeStartingOver() {}

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public long held() {
      return upload.bytes().held();
    }

    @Override
    public void hashed(String hash) {
      sha256 = hash;
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      length += count;
      upload.bytes().write(bytes, from, count);
    }

    @Override
    public void complete() {
      upload.bytes().complete();
    }

    @Override
    public void discard() {
      upload.bytes().discard();
    }

    @Override
    public long bytes() {
      return upload.bytes().held();
    }

    @Override
    public Step upload() throws InterruptedException {
      return told(way::upload);
    }

    @Override
    public Step publish() throws InterruptedException {
      Step step = told(way::publish);
      if (step instanceof Step.Done) {
        upload.bytes().free();
      }
      return step;
    }

    /** Failures in terms of the file. */
    private Step told(Patience.Phase phase) throws InterruptedException {
      try {
        return phase.run();
      } catch (DfsException e) {
        throw failed(path, e);
      } catch (BlockUpload.StreamLostException e) {
        throw new StoreException(
            io.corehub.agent.ErrorCode.CONFLICT,
            true,
            e.getMessage()
                + " Something else deletes files of this folder. Find out what it is, then start"
                + " again: nothing of it was visible.",
            e);
      }
    }

    @Override
    public void abandon() {
      upload.abandon();
    }
  }
}
