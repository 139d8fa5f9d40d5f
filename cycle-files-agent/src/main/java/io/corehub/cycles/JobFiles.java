package io.corehub.cycles;

import io.corehub.storage.DfsObjectStore;
import io.corehub.storage.ObjectStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a start must know of the files in a job's folders: its newest completed cycle, the names
 * that are taken, and what no completed cycle accounts for. Every folder is listed once, but only
 * that is kept of it, so that neither memory nor later work grows with the cycles there are.
 * Confined to one thread.
 */
final class JobFiles {

  private static final Pattern TEMPORARY = Pattern.compile("_tmp_(.+)\\.[0-9a-f-]{36}");
  private static final Pattern VERSION = Pattern.compile("V(\\d{1,9})");

  private final CycleLayout layout;
  private final NestedJobs nested;
  private final Set<String> leftovers = new TreeSet<>();
  private final List<SchemaOf> schemas = new ArrayList<>();
  private final Set<String> avroFiles = new HashSet<>();
  private @Nullable CycleName last;
  private @Nullable String completedFile;
  private @Nullable String contentsFile;
  private @Nullable String manifestFile;
  private @Nullable CycleName newest;

  /**
   * A file that tells the schema of a version.
   *
   * @param path the file
   * @param folder the folder of the version
   * @param version the version
   */
  record SchemaOf(String path, String folder, int version) {}

  private JobFiles(CycleLayout layout) {
    this.layout = layout;
    this.nested = new NestedJobs(layout.jobFolder());
  }

  /** Lists every folder that the job may have files in. */
  static JobFiles look(ObjectStore store, CycleLayout layout) throws InterruptedException {
    JobFiles files = new JobFiles(layout);
    // First what says which names are behind the newest completed cycle: the rest is passed over.
    store.list(layout.completedRoot(), true, files::completed).forEach(files::take);
    for (String root : files.otherRoots()) {
      store.list(root, true, files::matters).forEach(files::take);
    }
    return files;
  }

  private Set<String> otherRoots() {
    Set<String> roots = new TreeSet<>();
    roots.add(layout.contentsRoot());
    roots.add(layout.dataRoot());
    roots.add(layout.schemaRoot());
    roots.add(layout.writerFolder());
    layout.avroRoot().ifPresent(roots::add);
    Set<String> all = Set.copyOf(roots);
    roots.removeIf(
        root -> all.stream().anyMatch(other -> !other.equals(root) && isBelow(root, other)));
    return roots;
  }

  /** Whether a path lies below a folder; all do below the connection folder, which is empty. */
  static boolean isBelow(String path, String folder) {
    return folder.isEmpty() || path.startsWith(folder + "/");
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String folderOf(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** Of the completed files the newest counts; of the rest of their folder what is behind it. */
  private boolean completed(ObjectStore.Entry entry) {
    if (entry.folder()) {
      // It is told before the file in it, and would be kept for every cycle there is.
      takeFolder(entry);
      return false;
    }
    Optional<CycleFileName> name = CycleFileName.of(entry.name());
    if (name.isPresent() && name.get() instanceof CycleFileName.Completed) {
      if (isBehind(name.get().cycle())) {
        last = name.get().cycle();
        completedFile = entry.path();
      }
      return false;
    }
    return matters(entry);
  }

  private boolean isBehind(CycleName cycle) {
    CycleName known = last;
    return known == null || cycle.compareTo(known) > 0;
  }

  /** Whether a start has to do with an entry at all. */
  private boolean matters(ObjectStore.Entry entry) {
    nested.look(entry.path());
    if (entry.folder()) {
      return CycleName.ofFolder(entry.name()).filter(this::isBehind).isPresent();
    }
    if (DfsObjectStore.isTemporary(entry.name()) || isSchema(entry.path())) {
      return true;
    }
    if (layout.avroRoot().filter(root -> isBelow(entry.path(), root)).isPresent()) {
      return true;
    }
    Optional<CycleFileName> name = CycleFileName.of(entry.name());
    return name.isPresent()
        && (isBehind(name.get().cycle())
            || (name.get().cycle().equals(last) && !(name.get() instanceof CycleFileName.Data)));
  }

  private boolean isSchema(String path) {
    String name = nameOf(path);
    return (name.endsWith(CycleLayout.SCHEMA_ENDING) || name.equals(CycleLayout.SCHEMA_INI))
        && isBelow(path, layout.schemaRoot())
        && VERSION.matcher(nameOf(folderOf(path))).matches();
  }

  private void take(ObjectStore.Entry entry) {
    String path = entry.path();
    if (entry.folder()) {
      takeFolder(entry);
      return;
    }
    boolean own = isOwn(path);
    Matcher temporary = TEMPORARY.matcher(entry.name());
    Optional<CycleFileName> name =
        CycleFileName.of(temporary.matches() ? temporary.group(1) : entry.name());
    if (DfsObjectStore.isTemporary(entry.name())) {
      Optional<CycleName> behind = name.map(CycleFileName::cycle).filter(this::isBehind);
      if (own) {
        behind.ifPresent(this::taken);
        leftovers.add(behind.map(cycle -> new CycleFile(path, cycle).whole()).orElse(path));
      } else if (layout.mayBeData(path)) {
        behind.ifPresent(this::taken);
      }
    } else if (isSchema(path)) {
      Matcher version = VERSION.matcher(nameOf(folderOf(path)));
      if (version.matches()) {
        schemas.add(new SchemaOf(path, folderOf(path), Integer.parseInt(version.group(1))));
      }
    } else if (name.isPresent()) {
      take(path, name.get(), own);
    } else {
      avroFiles.add(path);
    }
  }

  private void takeFolder(ObjectStore.Entry folder) {
    CycleName.ofFolder(folder.name())
        .filter(name -> layout.mayHoldCycles(folderOf(folder.path())))
        .ifPresent(this::taken);
  }

  private void take(String path, CycleFileName name, boolean own) {
    CycleName cycle = name.cycle();
    if (isBehind(cycle)) {
      if (own || (name instanceof CycleFileName.Data && layout.mayBeData(path))) {
        taken(cycle);
      }
      // A completed file that appeared meanwhile is another run's: nobody clears that.
      if (own && !(name instanceof CycleFileName.Completed)) {
        leftovers.add(new CycleFile(path, cycle).whole());
      }
    } else if (isBelow(path, layout.contentsRoot()) && name instanceof CycleFileName.Contents) {
      contentsFile = path;
    } else if (isBelow(path, layout.contentsRoot()) && name instanceof CycleFileName.Manifest) {
      manifestFile = path;
    }
  }

  private void taken(CycleName name) {
    CycleName known = newest;
    if (known == null || name.compareTo(known) > 0) {
      newest = name;
    }
  }

  /** Whether a path is this job's alone: other jobs may share directories outside of its folder. */
  boolean isOwn(String path) {
    return isBelow(path, layout.jobFolder())
        || isBelow(path, layout.completedRoot())
        || isBelow(path, layout.contentsRoot());
  }

  /** The newest completed cycle. */
  Optional<CycleName> last() {
    return Optional.ofNullable(last);
  }

  /** The greatest name that any file or folder of the job tells, temporary ones included. */
  Optional<CycleName> newest() {
    CycleName behind = newest;
    return behind != null && isBehind(behind) ? Optional.of(behind) : last();
  }

  /** The completed file of the newest completed cycle. */
  Optional<String> completedFile() {
    return Optional.ofNullable(completedFile);
  }

  /** The contents file of the newest completed cycle. */
  Optional<String> contentsFile() {
    return Optional.ofNullable(contentsFile);
  }

  /** The manifest of the newest completed cycle. */
  Optional<String> manifestFile() {
    return Optional.ofNullable(manifestFile);
  }

  /** Files of the job's own, and folders of cycles, that no completed cycle accounts for. */
  Set<String> leftovers() {
    return leftovers.stream().filter(path -> !nested.hold(path)).collect(Collectors.toSet());
  }

  /** All schema files. */
  List<SchemaOf> schemas() {
    return schemas.stream().filter(schema -> !nested.hold(schema.path())).toList();
  }

  /** Whether a file stands in the directory of Avro schema files. */
  boolean hasAvroFile(String path) {
    return avroFiles.contains(path);
  }
}
