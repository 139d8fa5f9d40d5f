package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out where a job stands by what lies in its folder, and clears what an earlier run left
 * unfinished there. A half-written cycle is never completed: its commits come again, under a new
 * name. Used once.
 */
final class Recovery {

  private static final int MOST_SUMMARY_BYTES = 64 << 20;
  private static final Pattern SEQUENCE = Pattern.compile("\"(\\d{32})\"");

  private final ObjectStore store;
  private final CycleLayout layout;
  private final CycleConfig.Rules rules;
  private final String pipeline;
  private final Consumer<String> warnings;

  /**
   * A recovery.
   *
   * @param store the storage
   * @param layout where files lie
   * @param rules what may be done
   * @param pipeline whose folder it must be
   * @param warnings told what a person should know
   */
  Recovery(
      ObjectStore store,
      CycleLayout layout,
      CycleConfig.Rules rules,
      String pipeline,
      Consumer<String> warnings) {
    this.store = store;
    this.layout = layout;
    this.rules = rules;
    this.pipeline = pipeline;
    this.warnings = warnings;
  }

  /**
   * Looks, judges, and clears.
   *
   * @param kept what the hub kept of an earlier run
   * @param newJob identity of the job if it is a new one
   * @throws ActionRequiredException if the folder is not as the hub knows it
   */
  JobStart run(Optional<AgentMemory> kept, String newJob) throws InterruptedException {
    JobFiles files = JobFiles.look(store, layout);
    JobStart start = judge(files, kept, newJob);
    clear(files, start.tables());
    return start;
  }

  /**
   * Looks and judges, and changes nothing.
   *
   * @param kept what the hub kept of an earlier run
   * @throws ActionRequiredException if the folder is not as the hub knows it
   */
  JobStart look(Optional<AgentMemory> kept) throws InterruptedException {
    return judge(JobFiles.look(store, layout), kept, "");
  }

  private JobStart judge(JobFiles files, Optional<AgentMemory> kept, String newJob)
      throws InterruptedException {
    Optional<AgentMemory> same = kept.filter(k -> k.folder().equals(layout.jobFolder()));
    if (kept.isPresent() && same.isEmpty()) {
      warnings.accept(
          "taskTargetDirectory is '"
              + layout.jobFolder()
              + "', and was '"
              + kept.get().folder()
              + "' when the hub stored the position. A new job begins there, at the hub's position:"
              + " earlier changes are only in the old folder.");
    }
    boolean lost = requireNotBehind(same.flatMap(AgentMemory::cycle), files.last());
    Optional<CycleName> newest = later(files.newest(), same.flatMap(AgentMemory::cycle));
    if (files.last().isEmpty()) {
      return new JobStart(newJob, files.last(), newest, "", Optional.empty(), Map.of(), lost);
    }
    CycleName last = files.last().get();
    Sequence current = currentSequence(files.completedFile().orElseThrow());
    requireSameLoadType(last, files.contentsFile());
    Optional<Manifest> manifest = manifest(last, files.manifestFile());
    manifest.ifPresent(found -> requireOwn(found, same));
    Map<TableId, TableState> tables =
        manifest.isPresent() ? manifest.get().tables() : withoutManifest();
    return new JobStart(
        manifest.map(Manifest::job).orElse(newJob),
        files.last(),
        newest,
        manifest.map(found -> found.position().timeline()).orElse(""),
        Optional.of(current),
        tables,
        lost);
  }

  private static Optional<CycleName> later(Optional<CycleName> a, Optional<CycleName> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    return a.get().compareTo(b.get()) >= 0 ? a : b;
  }

  private boolean requireNotBehind(Optional<CycleName> hub, Optional<CycleName> last) {
    boolean behind = hub.isPresent() && (last.isEmpty() || last.get().compareTo(hub.get()) < 0);
    if (!behind) {
      return false;
    }
    String found =
        "the hub knows cycle "
            + hub.get()
            + " as completed, but the newest one in "
            + store.address(layout.completedRoot())
            + " is "
            + last.map(CycleName::toString).orElse("none");
    if (!rules.acceptRollback()) {
      throw new ActionRequiredException(
          ErrorCode.CONFLICT,
          "CYCLE_STATE_BEHIND_HUB: "
              + found
              + ". Somebody removed or restored the folder; the changes of the missing cycles do not"
              + " come again. Restore the folder, or set acceptTargetRollback to true to go on with"
              + " this gap and load the tables anew.");
    }
    warnings.accept(
        found
            + ". acceptTargetRollback is on: the job goes on, the changes of the missing cycles are"
            + " lost. Load the tables anew (recreate-table), and turn the setting off.");
    return true;
  }

  private Sequence currentSequence(String path) throws InterruptedException {
    byte[] bytes = read(path);
    Matcher sequence = SEQUENCE.matcher(new String(bytes, StandardCharsets.UTF_8));
    if (!sequence.find()) {
      throw unreadable(path, new IllegalArgumentException("tells no current sequence"));
    }
    try {
      return Sequence.parse(sequence.group(1));
    } catch (IllegalArgumentException e) {
      throw unreadable(path, e);
    }
  }

  private void requireSameLoadType(CycleName last, Optional<String> path)
      throws InterruptedException {
    String contents =
        path.orElseThrow(
            () ->
                new ActionRequiredException(
                    ErrorCode.CONFLICT,
                    "Completed cycle "
                        + last
                        + " in "
                        + store.address(layout.jobFolder())
                        + " lacks its contents file. Restore the folder, or choose another"
                        + " taskTargetDirectory."));
    String header =
        new String(read(contents), StandardCharsets.UTF_8).lines().findFirst().orElse("");
    boolean combined = header.contains("\"truncates\"");
    if (combined != rules.combined()) {
      throw new ActionRequiredException(
          ErrorCode.SETTINGS,
          "Setting 'loadType' is "
              + (rules.combined() ? "COMBINED" : "INCREMENTAL")
              + ", but the cycles in "
              + store.address(layout.jobFolder())
              + " were written by a job of the other type, and their sequences do not compare. Set"
              + " it back, or choose another taskTargetDirectory.");
    }
  }

  private Optional<Manifest> manifest(CycleName last, Optional<String> path)
      throws InterruptedException {
    if (path.isEmpty()) {
      warnings.accept(
          "Cycle "
              + last
              + " has no manifest any more; what each table holds is read from its contents file."
              + " Do not remove files that begin with _manifest.");
      return Optional.empty();
    }
    try {
      return Optional.of(Manifest.parse(read(path.get(), Manifest.MAX_BYTES)));
    } catch (IllegalArgumentException e) {
      throw unreadable(path.get(), e);
    }
  }

  private Map<TableId, TableState> withoutManifest() throws InterruptedException {
    try {
      return new TablesByContents(store, layout, this::read).tables();
    } catch (IllegalArgumentException e) {
      throw unreadable(layout.contentsRoot(), e);
    }
  }

  private void requireOwn(Manifest manifest, Optional<AgentMemory> same) {
    if (!manifest.pipeline().equals(pipeline)) {
      throw new ActionRequiredException(
          ErrorCode.CONFLICT,
          store.address(layout.jobFolder())
              + " holds the cycles of pipeline '"
              + manifest.pipeline()
              + "'. Give each pipeline its own taskTargetDirectory.");
    }
    same.map(AgentMemory::job)
        .filter(job -> !job.isEmpty() && !job.equals(manifest.job()) && !rules.acceptRollback())
        .ifPresent(
            job -> {
              throw new ActionRequiredException(
                  ErrorCode.CONFLICT,
                  "CYCLE_STATE_BEHIND_HUB: "
                      + store.address(layout.jobFolder())
                      + " holds another job than the one the hub knows: it was emptied and filled"
                      + " anew. Restore the folder, choose another taskTargetDirectory, or set"
                      + " acceptTargetRollback to true.");
            });
  }

  private byte[] read(String path) throws InterruptedException {
    return read(path, MOST_SUMMARY_BYTES);
  }

  private byte[] read(String path, int most) throws InterruptedException {
    return store
        .read(path, most)
        .orElseThrow(
            () ->
                new ActionRequiredException(
                    ErrorCode.CONFLICT,
                    store.address(path)
                        + " is gone. Somebody removes files of this job's folder; restore it."));
  }

  private ActionRequiredException unreadable(String path, IllegalArgumentException why) {
    return new ActionRequiredException(
        ErrorCode.CONFLICT,
        store.address(path)
            + " "
            + why.getMessage()
            + ". Restore the file, or choose another taskTargetDirectory.",
        why);
  }

  private void clear(JobFiles files, Map<TableId, TableState> tables) throws InterruptedException {
    Set<String> orphans = Orphans.of(files, layout, tables);
    if (orphans.isEmpty()) {
      return;
    }
    if (!rules.deleteOrphans()) {
      warnings.accept(
          orphans.size()
              + " files and folders of cycles that were never completed stay in "
              + store.address(layout.jobFolder())
              + ", because orphanPolicy is 'keep'. No consumer sees them.");
      return;
    }
    for (String orphan : orphans) {
      store.delete(orphan);
    }
    Logs.LOG.info(
        "{}: {} files and folders of cycles that were never completed are deleted",
        pipeline,
        orphans.size());
  }
}
