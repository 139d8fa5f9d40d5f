package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.PathPattern.BadPatternException;
import io.corehub.cycles.PathPattern.Placeholder;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.runtime.text.Text;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where each file of a job lies. Every path is relative to the connection folder: segments joined
 * by {@code /}, no slash at the ends. Immutable; does no I/O.
 */
final class CycleLayout {

  static final String TASK_TARGET_DIRECTORY = "taskTargetDirectory";
  static final String DATA_DIRECTORY = "dataDirectory";
  static final String SCHEMA_DIRECTORY = "schemaDirectory";
  static final String CYCLE_COMPLETION_DIRECTORY = "cycleCompletionDirectory";
  static final String CYCLE_CONTENTS_DIRECTORY = "cycleContentsDirectory";
  static final String AVRO_SCHEMA_DIRECTORY = "avroSchemaDirectory";

  /** What every job's fence lies below, behind the job's folder. */
  static final String WRITER = "/cycle/_writer";

  /** How the name of a schema file ends. */
  static final String SCHEMA_ENDING = ".schema";

  /** Name of the file for readers of the public CSV form. */
  static final String SCHEMA_INI = "schema.ini";

  /** For directories that do not depend on either. */
  private static final TableId NO_TABLE = TableId.of("-");

  private static final CycleName SOME_CYCLE = new CycleName(Instant.EPOCH);
  private static final Pattern VERSIONED =
      Pattern.compile("(.+)_v([2-9]|[1-9][0-9]+)", Pattern.DOTALL);

  /**
   * The settings a layout is made of, as users write them.
   *
   * @param taskTargetDirectory the job's folder
   * @param dataDirectory pattern
   * @param schemaDirectory pattern
   * @param cycleCompletionDirectory pattern
   * @param cycleContentsDirectory pattern
   * @param avroSchemaDirectory directory below the connection folder; empty for no Avro files
   * @param addDirectoryTags whether cycle folders begin with {@code dt=}
   * @param cyclePartitioningForData whether data files lie in a folder of their cycle
   * @param cyclePartitioningForSummary whether contents and completed files do
   * @param format how data files are written
   * @param schemaFileForParquet whether a Parquet job writes the schema files of a CSV job
   */
  record Choices(
      String taskTargetDirectory,
      String dataDirectory,
      String schemaDirectory,
      String cycleCompletionDirectory,
      String cycleContentsDirectory,
      String avroSchemaDirectory,
      boolean addDirectoryTags,
      boolean cyclePartitioningForData,
      boolean cyclePartitioningForSummary,
      DataFormat format,
      boolean schemaFileForParquet) {

    /** The default directories. */
    static Choices usual(String taskTargetDirectory, DataFormat format) {
      return new Choices(
          taskTargetDirectory,
          "{TaskTargetDirectory}/data/{TableName}/data",
          "{TaskTargetDirectory}/data/{TableName}/schema",
          "{TaskTargetDirectory}/cycle/completed",
          "{TaskTargetDirectory}/cycle/contents",
          "",
          false,
          true,
          true,
          format,
          false);
    }
  }

  private final Choices choices;
  private final String job;
  private final PathPattern data;
  private final PathPattern schema;
  private final String completed;
  private final String contents;
  private final Optional<String> avro;

  private CycleLayout(
      Choices choices,
      String job,
      PathPattern data,
      PathPattern schema,
      String completed,
      String contents,
      Optional<String> avro) {
    this.choices = choices;
    this.job = job;
    this.data = data;
    this.schema = schema;
    this.completed = completed;
    this.contents = contents;
    this.avro = avro;
  }

  /**
   * The layout of a job.
   *
   * @throws BadPatternException naming the first setting that cannot be used, and what to change
   */
  static CycleLayout of(Choices choices) {
    return of(choices, fixed(TASK_TARGET_DIRECTORY, choices.taskTargetDirectory, job("")));
  }

  /**
   * The layout of a job in a folder that no user wrote.
   *
   * @param choices everything but the job's folder
   * @param job the job's folder as {@link PathSegment} makes one, which may hold {@code %}
   * @throws BadPatternException naming the first setting that cannot be used, and what to change
   */
  static CycleLayout of(Choices choices, String job) {
    Set<Placeholder> all = EnumSet.allOf(Placeholder.class);
    Set<Placeholder> timeless = EnumSet.allOf(Placeholder.class);
    timeless.removeIf(Placeholder::time);
    PathPattern data = PathPattern.parse(DATA_DIRECTORY, choices.dataDirectory, all);
    PathPattern schema = PathPattern.parse(SCHEMA_DIRECTORY, choices.schemaDirectory, timeless);
    if (!choices.cyclePartitioningForData) {
      requireTableName(data);
    }
    requireTableName(schema);
    String completed =
        fixed(CYCLE_COMPLETION_DIRECTORY, choices.cycleCompletionDirectory, job(job));
    String contents = fixed(CYCLE_CONTENTS_DIRECTORY, choices.cycleContentsDirectory, job(job));
    Optional<String> avro =
        choices.avroSchemaDirectory.isEmpty()
            ? Optional.empty()
            : Optional.of(fixed(AVRO_SCHEMA_DIRECTORY, choices.avroSchemaDirectory, job(job)));
    CycleLayout layout = new CycleLayout(choices, job, data, schema, completed, contents, avro);
    layout.requireOwnDirectories();
    return layout;
  }

  private static Optional<String> job(String directory) {
    return Optional.of(directory).filter(text -> !text.isEmpty());
  }

  /** A directory that is the same for all tables and cycles. */
  private static String fixed(String setting, String text, Optional<String> job) {
    Set<Placeholder> allowed = EnumSet.noneOf(Placeholder.class);
    job.ifPresent(directory -> allowed.add(Placeholder.TASK_TARGET_DIRECTORY));
    return PathPattern.parse(setting, text, allowed).resolve(job.orElse(""), NO_TABLE, SOME_CYCLE);
  }

  private static void requireTableName(PathPattern pattern) {
    if (!pattern.uses(Placeholder.TABLE_NAME)) {
      throw new BadPatternException(
          pattern.setting(),
          pattern.setting()
              + " '"
              + Text.shown(pattern.toString())
              + "' puts the files of all tables into one directory. Add "
              + Placeholder.TABLE_NAME
              + ".");
    }
  }

  private void requireOwnDirectories() {
    Map<String, String> owners = reserved();
    own(owners, DATA_DIRECTORY, data.resolve(job, NO_TABLE, SOME_CYCLE));
    own(owners, SCHEMA_DIRECTORY, schema.resolve(job, NO_TABLE, SOME_CYCLE));
  }

  /** The directories that are no table's, with the settings they come from. */
  private Map<String, String> reserved() {
    Map<String, String> owners = new LinkedHashMap<>();
    own(owners, CYCLE_COMPLETION_DIRECTORY, completed);
    own(owners, CYCLE_CONTENTS_DIRECTORY, contents);
    avro.ifPresent(directory -> own(owners, AVRO_SCHEMA_DIRECTORY, directory));
    return owners;
  }

  private static void own(Map<String, String> owners, String setting, String directory) {
    String other = owners.putIfAbsent(IgnoringCase.of(directory), setting);
    if (other != null) {
      throw new BadPatternException(
          other,
          other
              + " and "
              + setting
              + " are both the directory '"
              + Text.shown(directory)
              + "'. Give each its own.");
    }
  }

  /** The job's folder. */
  String jobFolder() {
    return job;
  }

  /** The folder of the writer's fence, whatever the other directories. */
  String writerFolder() {
    return job + WRITER;
  }

  /** What every data directory begins with; empty when already its first segment differs. */
  String dataRoot() {
    return data.fixedPart(job);
  }

  /** Whether data lies outside of the job's folder, where other jobs may have theirs. */
  boolean sharesData() {
    return !dataRoot().equals(job) && !dataRoot().startsWith(job + "/");
  }

  /** What every schema directory begins with; empty when already its first segment differs. */
  String schemaRoot() {
    return schema.fixedPart(job);
  }

  /** The directory that holds all completed files, or the folders of theirs. */
  String completedRoot() {
    return completed;
  }

  /** The directory that holds all contents files, or the folders of theirs. */
  String contentsRoot() {
    return contents;
  }

  /** The directory of Avro schema files, if there is one. */
  Optional<String> avroRoot() {
    return avro;
  }

  /** Whether data files lie in a folder of their cycle. */
  boolean dataCycleFolders() {
    return choices.cyclePartitioningForData;
  }

  /** Whether contents and completed files lie in a folder of their cycle. */
  boolean summaryCycleFolders() {
    return choices.cyclePartitioningForSummary;
  }

  /** Whether a directory is one that files or folders of cycles lie in. */
  boolean mayHoldCycles(String directory) {
    return directory.equals(completed)
        || directory.equals(contents)
        || data.matches(job, directory);
  }

  /** Whether a file that tells a cycle lies where data files do, with a folder of it or without. */
  boolean mayBeData(String path) {
    String directory = parent(path);
    return data.matches(job, directory) || data.matches(job, parent(directory));
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** How data files are written. */
  DataFormat format() {
    return choices.format;
  }

  /** Whether schema files are written beside the data directory. */
  boolean writesSchemaFiles() {
    return choices.format != DataFormat.PARQUET || choices.schemaFileForParquet;
  }

  /** The folder that holds a table's data files of a cycle. */
  String dataFolder(TableId table, CycleName cycle) {
    String directory = data.resolve(job, table, cycle);
    return choices.cyclePartitioningForData ? directory + "/" + folder(cycle) : directory;
  }

  /** The folder that all files of a table are below, for those who name the table by its place. */
  String tableFolder(TableId table) {
    String directory = data.resolve(job, table, SOME_CYCLE);
    return directory.endsWith("/data")
        ? directory.substring(0, directory.length() - "/data".length())
        : directory;
  }

  /**
   * A data file.
   *
   * @param part from 1 to {@link CycleFileName#MOST_PARTS}
   */
  String dataFile(TableId table, CycleName cycle, int part) {
    return dataFolder(table, cycle)
        + "/"
        + CycleFileName.data(PathSegment.of(table.name()), cycle, part, choices.format.ending());
  }

  /** The directory that holds a folder for each schema version of a table. */
  String schemaDirectory(TableId table) {
    return schema.resolve(job, table, SOME_CYCLE);
  }

  /** The folder of a table's schema files of one version. */
  String schemaFolder(TableId table, int version) {
    return schemaDirectory(table) + "/V" + version;
  }

  /** The schema file of a version; only written if {@link #writesSchemaFiles()}. */
  String schemaFile(TableId table, int version) {
    return schemaFolder(table, version) + "/" + PathSegment.of(table.name()) + SCHEMA_ENDING;
  }

  /** The {@code schema.ini} of a version. */
  String schemaIni(TableId table, int version) {
    return schemaFolder(table, version) + "/" + SCHEMA_INI;
  }

  /** The file of a version in the directory of Avro schema files, if there is one. */
  Optional<String> avroFile(TableId table, int version) {
    String suffix = version == 1 ? "" : "_V" + version;
    return avro.map(
        directory -> directory + "/" + PathSegment.withSafeEnds(avroName(table) + suffix) + ".txt");
  }

  private static String avroName(TableId table) {
    String name = PathSegment.inside(table.name());
    return table.schema().map(s -> PathSegment.inside(s) + "_" + name).orElse(name);
  }

  /** The path that a contents file tells for a version, whether such a file exists or not. */
  String schemaPath(TableId table, int version) {
    return writesSchemaFiles()
        ? schemaFile(table, version)
        : avroFile(table, version).orElseGet(() -> schemaFile(table, version));
  }

  /** The contents file of a cycle. */
  String contentsFile(CycleName cycle) {
    return summaryFolder(contents, cycle) + "/" + cycle.contentsFile();
  }

  /** The manifest of a cycle, beside its contents file. */
  String manifestFile(CycleName cycle) {
    return summaryFolder(contents, cycle) + "/" + cycle.manifestFile();
  }

  /** The completed file of a cycle. */
  String completedFile(CycleName cycle) {
    return summaryFolder(completed, cycle) + "/" + cycle.completedFile();
  }

  private String summaryFolder(String directory, CycleName cycle) {
    return choices.cyclePartitioningForSummary ? directory + "/" + folder(cycle) : directory;
  }

  private String folder(CycleName cycle) {
    return cycle.folder(choices.addDirectoryTags);
  }

  /**
   * A table's name in the contents file: with its schema where the data directory has it too.
   *
   * @return the real name, nothing encoded
   */
  String contentsName(TableId table) {
    return data.uses(Placeholder.SCHEMA_NAME)
        ? table.schema().map(s -> s + "." + table.name()).orElse(table.name())
        : table.name();
  }

  /**
   * Whether tables would share a directory or a file.
   *
   * @param tables all tables of the job; of two that clash, the one that comes later is at fault
   * @return for each table at fault, one message that names both tables and what to change
   */
  Map<TableId, String> clashes(List<TableId> tables) {
    Map<TableId, String> clashes = new LinkedHashMap<>();
    Map<String, TableId> directories = new HashMap<>();
    Map<String, TableId> avroNames = new HashMap<>();
    Map<String, String> reserved = reserved();
    for (TableId table : tables) {
      String dataDirectory = data.resolve(job, table, SOME_CYCLE);
      String schemaDirectory = schema.resolve(job, table, SOME_CYCLE);
      claim(clashes, directories, table, dataDirectory, DATA_DIRECTORY);
      claim(clashes, directories, table, schemaDirectory, SCHEMA_DIRECTORY);
      keepOff(clashes, reserved, table, dataDirectory, DATA_DIRECTORY);
      keepOff(clashes, reserved, table, schemaDirectory, SCHEMA_DIRECTORY);
      if (avro.isPresent()) {
        claimAvro(clashes, avroNames, table);
      }
    }
    return clashes;
  }

  private static void claim(
      Map<TableId, String> clashes,
      Map<String, TableId> owners,
      TableId table,
      String directory,
      String setting) {
    TableId other = owners.putIfAbsent(IgnoringCase.of(directory), table);
    if (other != null && !other.equals(table)) {
      clashes.putIfAbsent(
          table,
          setting
              + ": tables "
              + Text.shown(other.toString())
              + " and "
              + Text.shown(table.toString())
              + " would both lie in '"
              + Text.shown(directory)
              + "'. "
              + (IgnoringCase.of(other.toString()).equals(IgnoringCase.of(table.toString()))
                  ? "Leave one of them out: their names differ only by case."
                  : "Add "
                      + Placeholder.SCHEMA_NAME
                      + " to the pattern, or leave one of them out."));
    }
  }

  private static void keepOff(
      Map<TableId, String> clashes,
      Map<String, String> reserved,
      TableId table,
      String directory,
      String setting) {
    String other = reserved.get(IgnoringCase.of(directory));
    if (other != null) {
      clashes.putIfAbsent(
          table,
          setting
              + ": table "
              + Text.shown(table.toString())
              + " would lie in '"
              + Text.shown(directory)
              + "', the directory of "
              + other
              + ". Change one of the two settings.");
    }
  }

  private static void claimAvro(
      Map<TableId, String> clashes, Map<String, TableId> owners, TableId table) {
    String name = IgnoringCase.of(PathSegment.withSafeEnds(avroName(table)));
    for (Map.Entry<String, TableId> owner : owners.entrySet()) {
      boolean clash =
          owner.getKey().equals(name)
              || isVersionOf(name, owner.getKey())
              || isVersionOf(owner.getKey(), name);
      if (clash && !owner.getValue().equals(table)) {
        clashes.putIfAbsent(
            table,
            AVRO_SCHEMA_DIRECTORY
                + ": tables "
                + Text.shown(owner.getValue().toString())
                + " and "
                + Text.shown(table.toString())
                + " would share an Avro schema file, now or with a later version. Rename one of"
                + " them, leave it out, or do without the setting.");
      }
    }
    owners.put(name, table);
  }

  private static boolean isVersionOf(String name, String base) {
    Matcher versioned = VERSIONED.matcher(name);
    return versioned.matches() && versioned.group(1).equals(base);
  }
}
