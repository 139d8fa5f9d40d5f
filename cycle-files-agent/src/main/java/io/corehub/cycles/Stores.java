package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.Advice;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import io.corehub.onelake.SetupCheck;
import io.corehub.onelake.local.LocalDfsClient;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;
import io.corehub.storage.DfsErrors;
import io.corehub.storage.DfsObjectStore;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.Patience;
import io.corehub.storage.StoredFiles;
import io.corehub.storage.UploadRoom;
import io.corehub.storage.probe.TargetProbes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Opens the storage of a job, and looks whether it can be used. Thread-safe. */
final class Stores {

  private static final String SETTING = "storageUrl";
  private static final int SET_UP_BLOCK = 1 << 20;

  private final CycleConfig config;
  private final Retries retries;
  private final Retries.Time time;
  private final Supplier<UUID> ids;

  Stores(CycleConfig config, Retries retries, Retries.Time time, Supplier<UUID> ids) {
    this.config = config;
    this.retries = retries;
    this.time = time;
    this.ids = ids;
  }

  /** A client of a place. */
  static DfsClient client(StoragePlace place, Function<OneLakeConnection, DfsClient> opener) {
    if (place instanceof StoragePlace.Remote remote) {
      return opener.apply(remote.connection());
    }
    return new LocalDfsClient(((StoragePlace.Folder) place).root());
  }

  /** The store while a person waits: passing faults are tried for a bounded time. */
  ObjectStore atSetUp(DfsClient client, Workers workers) {
    return store(
        client,
        workers,
        new UploadSlots(workers.uploads(), 1, SET_UP_BLOCK),
        SET_UP_BLOCK,
        RetryPolicy.SET_UP,
        new Quiet());
  }

  /** The store while the job runs: passing faults are tried without end. */
  ObjectStore running(DfsClient client, Workers workers, CycleSession.Uploads uploads) {
    return store(
        client,
        workers,
        uploads.slots(),
        uploads.plan().block(),
        RetryPolicy.RUNNING,
        new Told(uploads.warnings()));
  }

  private ObjectStore store(
      DfsClient client,
      Workers workers,
      UploadSlots slots,
      int block,
      RetryPolicy policy,
      Patience.Listener listener) {
    return new DfsObjectStore(
        new UploadRoom(
            client,
            workers,
            slots,
            block,
            config.uploads().blockConcurrency(),
            config.uploads().close()),
        new DfsObjectStore.Root(path(), CycleConfigReader.address(config.place()), this::advice),
        new DfsObjectStore.Repeating(
            retries, time, policy, config.uploads().retryBudget(), listener),
        ids);
  }

  /** What lies in the connection folder, to be read only. */
  TargetFiles files(DfsClient client) {
    return new StoredFiles(client, path(), retries, this::advice);
  }

  /** Probes of what a job takes for granted of this storage, in a folder beside those of jobs. */
  TargetProbes probes(
      DfsClient client, Workers workers, InstantSource clock, Consumer<ProbeFinding> findings) {
    return new TargetProbes(
        new TargetProbes.Target(
            client,
            retries,
            clock,
            workers.uploads(),
            ids,
            path(),
            () -> DfsObjectStore.TEMPORARY + "probe." + ids.get(),
            this::advice),
        config.place().assumptions(),
        findings);
  }

  private String path() {
    return config.place() instanceof StoragePlace.Remote remote ? remote.path() : "";
  }

  private String advice(DfsException failure) {
    if (config.place() instanceof StoragePlace.Remote remote) {
      return Advice.of(remote.connection(), SETTING).of(failure);
    }
    String message = String.valueOf(failure.getMessage());
    return switch (failure.kind()) {
      case FORBIDDEN -> message + ". Give this process the right to write there.";
      case TRANSIENT -> message + ". Look at the disk: is it full, or gone?";
      default -> message;
    };
  }

  private static class Quiet implements Patience.Listener {
    @Override
    public void failing(DfsException failure) {
      Logs.LOG.info("A request failed and is repeated: {}", failure.getMessage());
    }

    @Override
    public void outOfBudget(DfsException failure, Duration since) {
      Logs.LOG.debug("Requests have failed for {}", since);
    }

    @Override
    public void recovered() {
      Logs.LOG.debug("Requests succeed again");
    }
  }

  private final class Told extends Quiet {
    private final Consumer<String> warnings;
    private volatile boolean told;

    Told(Consumer<String> warnings) {
      this.warnings = warnings;
    }

    @Override
    public void outOfBudget(DfsException failure, Duration since) {
      if (!told) {
        told = true;
        warnings.accept(
            "Requests have failed for "
                + since.toSeconds()
                + " s and go on being repeated. "
                + advice(failure));
      }
    }

    @Override
    public void recovered() {
      told = false;
    }
  }

  // --- the check of a set-up -------------------------------------------------------------------

  /** Everything that was looked at, in words for a person. Writes nothing. */
  List<Finding> findings(DfsClient client) throws InterruptedException {
    if (config.place() instanceof StoragePlace.Folder folder) {
      return List.of(finding(folder.root()));
    }
    OneLakeConnection connection = ((StoragePlace.Remote) config.place()).connection();
    List<Finding> findings = new ArrayList<>();
    try {
      look(connection, client);
      findings.add(new Finding(Severity.OK, "signed in as " + connection.credentials().identity()));
      findings.add(new Finding(Severity.OK, connection.url() + " exists and can be read"));
    } catch (DfsException e) {
      findings.add(new Finding(Severity.ERROR, advice(e)));
    }
    return findings;
  }

  private void look(OneLakeConnection connection, DfsClient client) throws InterruptedException {
    if (connection.url().path().isEmpty()) {
      retries.run(
          RetryPolicy.SET_UP, Retries.FailureListener.NONE, () -> client.list("", false, e -> {}));
      return;
    }
    PathProperties found =
        new SetupCheck(connection, retries).look(client, Retries.FailureListener.NONE);
    if (!found.directory()) {
      throw DfsException.of(DfsException.Kind.CONFLICT, "head")
          .build(connection.url() + " is a file. Give the URL of a folder as '" + SETTING + "'");
    }
  }

  private static Finding finding(Path root) {
    Path there = root;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null || !Files.isDirectory(there)) {
      return new Finding(
          Severity.ERROR, root + " cannot be made a folder: " + there + " is a file. " + remedy());
    }
    if (!Files.isWritable(there)) {
      return new Finding(Severity.ERROR, there + " cannot be written by this process. " + remedy());
    }
    return new Finding(
        Severity.OK,
        there.equals(root) ? root + " can be written" : root + " will be made in " + there);
  }

  private static String remedy() {
    return "Change its rights, or '" + SETTING + "'.";
  }

  /**
   * Fails unless the storage is there.
   *
   * @throws ActionRequiredException if a person must change something
   * @throws RetryLaterException if it cannot be reached now
   */
  void require(DfsClient client) throws InterruptedException {
    if (config.place() instanceof StoragePlace.Remote remote) {
      try {
        look(remote.connection(), client);
      } catch (DfsException e) {
        throw told(e);
      }
      return;
    }
    Optional.of(finding(((StoragePlace.Folder) config.place()).root()))
        .filter(found -> found.severity() == Severity.ERROR)
        .ifPresent(
            found -> {
              throw new ActionRequiredException(ErrorCode.ACCESS, found.message());
            });
  }

  private AgentException told(DfsException e) {
    String advice = advice(e);
    return SetupCheck.passes(e)
        ? new RetryLaterException(ErrorCode.TARGET_UNAVAILABLE, advice, e)
        : new ActionRequiredException(DfsErrors.codeOf(e), advice, e);
  }
}
