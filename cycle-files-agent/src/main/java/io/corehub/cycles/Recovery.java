package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.storage.DfsObjectStore;
import io.corehub.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where a job stands by what lies in its folder, and clears what an earlier run left
 * unfinished there. A half-written cycle is never completed: its commits come again, under a new
 * name. Used once.
 */
final class Recovery {

  private static final int END_SEQUENCE = 4;
  private static final int MOST_SUMMARY_BYTES = 64 << 20;
  private static final Pattern TEMPORARY = Pattern.compile("_tmp_(.+)\\.[0-9a-f-]{36}");
  private static final Pattern SEQUENCE = Pattern.compile("\"(\\d{32})\"");
  private static final Pattern VERSION = Pattern.compile("V(\\d{1,9})");

  private final ObjectStore store;
  private final CycleLayout layout;
  private final CycleConfig.Rules rules;
  private final String pipeline;
  private final Consumer<String> warnings;
  private final Map<String, ObjectStore.Entry> entries = new HashMap<>();

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
    look();
    Optional<CycleName> last = newestCompleted();
    Set<CycleName> used = usedNames();
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
    boolean lost = requireNotBehind(same.flatMap(AgentMemory::cycle), last);
    Optional<CycleName> newest =
        newest(used.stream().max(CycleName::compareTo), same.flatMap(AgentMemory::cycle));
    if (last.isEmpty()) {
      clear(last, Map.of());
      return new JobStart(newJob, last, newest, "", Optional.empty(), Map.of(), lost);
    }
    Sequence current = currentSequence(last.get());
    requireSameLoadType(last.get());
    Optional<Manifest> manifest = manifest(last.get());
    manifest.ifPresent(found -> requireOwn(found, same));
    Map<TableId, TableState> tables =
        manifest.isPresent() ? manifest.get().tables() : withoutManifest();
    clear(last, tables);
    return new JobStart(
        manifest.map(Manifest::job).orElse(newJob),
        last,
        newest,
        manifest.map(found -> found.position().timeline()).orElse(""),
        Optional.of(current),
        tables,
        lost);
  }

  private static Optional<CycleName> newest(Optional<CycleName> a, Optional<CycleName> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    return a.get().compareTo(b.get()) >= 0 ? a : b;
  }

  /** Lists every directory the job may have files in, once. */
  private void look() throws InterruptedException {
    Set<String> roots = new TreeSet<>();
    roots.add(layout.completedRoot());
    roots.add(layout.contentsRoot());
    roots.add(layout.dataRoot());
    roots.add(layout.schemaRoot());
    layout.avroRoot().ifPresent(roots::add);
    for (String root : roots) {
      boolean below = roots.stream().anyMatch(other -> !other.equals(root) && isBelow(root, other));
      if (!below) {
        for (ObjectStore.Entry entry : store.list(root, true)) {
          entries.put(entry.path(), entry);
        }
      }
    }
  }

  private static boolean isBelow(String path, String folder) {
    return folder.isEmpty() || path.startsWith(folder + "/");
  }

  private Optional<CycleName> newestCompleted() {
    NavigableSet<CycleName> completed = completed();
    return completed.isEmpty() ? Optional.empty() : Optional.of(completed.last());
  }

  /** Every name that a file or folder of the job tells, temporary ones included. */
  private Set<CycleName> usedNames() {
    Set<CycleName> names = new HashSet<>();
    for (ObjectStore.Entry entry : entries.values()) {
      if (isJobs(entry.path())) {
        nameOf(entry).ifPresent(names::add);
      }
    }
    return names;
  }

  private static Optional<CycleName> nameOf(ObjectStore.Entry entry) {
    if (entry.folder()) {
      return CycleName.ofFolder(entry.name());
    }
    Matcher temporary = TEMPORARY.matcher(entry.name());
    String name = temporary.matches() ? temporary.group(1) : entry.name();
    return CycleFileName.of(name).map(CycleFileName::cycle);
  }

  /** Whether a path is this job's alone: other jobs may share directories outside of its folder. */
  private boolean isJobs(String path) {
    return isBelow(path, layout.jobFolder())
        || isBelow(path, layout.completedRoot())
        || isBelow(path, layout.contentsRoot());
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

  private Sequence currentSequence(CycleName last) throws InterruptedException {
    String path = pathOf(last, CycleFileName.Completed.class);
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

  private void requireSameLoadType(CycleName last) throws InterruptedException {
    String header =
        new String(read(pathOf(last, CycleFileName.Contents.class)), StandardCharsets.UTF_8)
            .lines()
            .findFirst()
            .orElse("");
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

  private Optional<Manifest> manifest(CycleName last) throws InterruptedException {
    Optional<String> path = find(last, CycleFileName.Manifest.class);
    if (path.isEmpty()) {
      warnings.accept(
          "Cycle "
              + last
              + " has no manifest any more; what each table holds is read from its contents file."
              + " Do not remove files that begin with _manifest.");
      return Optional.empty();
    }
    try {
      return Optional.of(Manifest.parse(read(path.get())));
    } catch (IllegalArgumentException e) {
      throw unreadable(path.get(), e);
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

  /**
   * What each table holds, read from the newest manifest there is and the contents files behind it.
   */
  private Map<TableId, TableState> withoutManifest() throws InterruptedException {
    Map<TableId, TableState> tables = new HashMap<>();
    Optional<CycleName> known = Optional.empty();
    for (CycleName cycle : completed().descendingSet()) {
      Optional<String> path = find(cycle, CycleFileName.Manifest.class);
      if (path.isPresent()) {
        known = Optional.of(cycle);
        tables.putAll(Manifest.parse(read(path.get())).tables());
        break;
      }
    }
    for (CycleName cycle : completed()) {
      if (known.isEmpty() || cycle.compareTo(known.get()) > 0) {
        Optional<String> path = find(cycle, CycleFileName.Contents.class);
        if (path.isPresent()) {
          takeOver(new String(read(path.get()), StandardCharsets.UTF_8), tables);
        }
      }
    }
    return tables;
  }

  private void takeOver(String contents, Map<TableId, TableState> tables) {
    contents
        .lines()
        .skip(1)
        .forEach(
            line -> {
              String[] cells = line.substring(1, Math.max(1, line.length() - 1)).split("\",\"", -1);
              if (cells.length > END_SEQUENCE) {
                Sequence end = Sequence.parse(cells[END_SEQUENCE]);
                TableId table = named(cells[0], tables);
                TableState before = tables.get(table);
                tables.put(table, after(before, end, cells[cells.length - 2]));
              }
            });
  }

  private static TableState after(@Nullable TableState before, Sequence end, String version) {
    int number = Integer.parseInt(version);
    String hash = before != null && before.schemaVersion() == number ? before.schemaHash() : "";
    return new TableState(
        end.prefix().map(SequencePrefix::incarnation).orElse(1),
        number,
        end.prefix().map(SequencePrefix::phase).orElse(Phase.CDC),
        hash,
        end.order(),
        Optional.empty());
  }

  private TableId named(String name, Map<TableId, TableState> tables) {
    return tables.keySet().stream()
        .filter(table -> layout.contentsName(table).equals(name))
        .findFirst()
        .orElseGet(() -> TableId.of(name));
  }

  private NavigableSet<CycleName> completed() {
    TreeSet<CycleName> names = new TreeSet<>();
    for (ObjectStore.Entry entry : entries.values()) {
      if (!entry.folder() && isBelow(entry.path(), layout.completedRoot())) {
        CycleFileName.of(entry.name())
            .filter(CycleFileName.Completed.class::isInstance)
            .ifPresent(name -> names.add(name.cycle()));
      }
    }
    return names;
  }

  private byte[] read(String path) throws InterruptedException {
    return store
        .read(path, MOST_SUMMARY_BYTES)
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

  private Optional<String> find(CycleName cycle, Class<? extends CycleFileName> kind) {
    return entries.values().stream()
        .filter(entry -> !entry.folder())
        .filter(
            entry ->
                CycleFileName.of(entry.name())
                    .filter(kind::isInstance)
                    .filter(name -> name.cycle().equals(cycle))
                    .isPresent())
        .map(ObjectStore.Entry::path)
        .filter(this::isJobs)
        .findFirst();
  }

  private String pathOf(CycleName cycle, Class<? extends CycleFileName> kind) {
    return find(cycle, kind)
        .orElseThrow(
            () ->
                new ActionRequiredException(
                    ErrorCode.CONFLICT,
                    "Completed cycle "
                        + cycle
                        + " in "
                        + store.address(layout.jobFolder())
                        + " lacks its "
                        + (kind == CycleFileName.Contents.class ? "contents" : "completed")
                        + " file. Restore the folder, or choose another taskTargetDirectory."));
  }

  private void clear(Optional<CycleName> last, Map<TableId, TableState> tables)
      throws InterruptedException {
    List<String> orphans = new ArrayList<>();
    for (ObjectStore.Entry entry : entries.values()) {
      if (isJobs(entry.path()) && (abandoned(entry, last) || abandonedSchema(entry, tables))) {
        orphans.add(entry.path());
      }
    }
    layout.avroRoot().ifPresent(root -> orphans.addAll(abandonedAvro(root, tables)));
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
    orphans.sort(null);
    String deleted = "/";
    for (String orphan : orphans) {
      if (!isBelow(orphan, deleted)) {
        store.delete(orphan);
        deleted = orphan;
      }
    }
    Logs.LOG.info(
        "{}: {} files and folders of cycles that were never completed are deleted",
        pipeline,
        orphans.size());
  }

  private static boolean abandoned(ObjectStore.Entry entry, Optional<CycleName> last) {
    if (!entry.folder() && DfsObjectStore.isTemporary(entry.name())) {
      return true;
    }
    return nameOf(entry)
        .filter(name -> last.isEmpty() || name.compareTo(last.get()) > 0)
        .isPresent();
  }

  /** Whether it is the folder of a schema version that no completed cycle uses. */
  private boolean abandonedSchema(ObjectStore.Entry entry, Map<TableId, TableState> tables) {
    Matcher version = VERSION.matcher(entry.name());
    if (!entry.folder() || !version.matches() || !isBelow(entry.path(), layout.schemaRoot())) {
      return false;
    }
    int number = Integer.parseInt(version.group(1));
    for (Map.Entry<TableId, TableState> table : tables.entrySet()) {
      if (layout.schemaFolder(table.getKey(), number).equals(entry.path())) {
        return number > table.getValue().schemaVersion();
      }
    }
    return isBelow(entry.path(), layout.jobFolder());
  }

  private List<String> abandonedAvro(String root, Map<TableId, TableState> tables) {
    List<String> orphans = new ArrayList<>();
    for (Map.Entry<TableId, TableState> table : tables.entrySet()) {
      for (int version = table.getValue().schemaVersion() + 1; ; version++) {
        String file = layout.avroFile(table.getKey(), version).orElse(root);
        if (!entries.containsKey(file)) {
          break;
        }
        orphans.add(file);
      }
    }
    return orphans;
  }
}
