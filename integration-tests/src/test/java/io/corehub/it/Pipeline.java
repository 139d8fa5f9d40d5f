package io.corehub.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the configuration of one pipeline, {@code shop}, by default from a change-stream file. */
final class Pipeline {

  private final Path directory;
  private final String agent;
  private final String target;
  private final StringBuilder settings = new StringBuilder();
  private String hub = "";
  private String tables = "";
  private String source = "";

  /** A pipeline into the landing zone of an emulator. */
  Pipeline(Path directory, Emulator emulator) {
    this(directory, "fabric-open-mirroring", emulator.targetSettings());
  }

  /**
   * A pipeline to any agent.
   *
   * @param target settings of the agent, as lines of YAML
   */
  Pipeline(Path directory, String agent, String target) {
    this.directory = directory;
    this.agent = agent;
    this.target = target;
  }

  Path stream() {
    return directory.resolve("stream.changes.jsonl");
  }

  Pipeline lines(List<String> lines) throws IOException {
    Files.write(stream(), lines);
    return this;
  }

  Pipeline lines(String lines) throws IOException {
    Files.writeString(stream(), lines);
    return this;
  }

  /** A table with one column, its key, and a commit for each of its rows. */
  Pipeline inserts(String table, int rows) throws IOException {
    StringBuilder lines =
        new StringBuilder("{\"kind\":\"table\",\"table\":\"")
            .append(table)
            .append(
                "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}\n");
    for (int i = 1; i <= rows; i++) {
      lines.append(
          String.format(
              "{\"kind\":\"commit\",\"position\":%d,\"changes\":[{\"op\":\"insert\","
                  + "\"table\":\"%s\",\"after\":{\"id\":%d}}]}%n",
              i, table, i));
    }
    return lines(lines.toString());
  }

  /** Another source than a change-stream file, as lines of YAML. */
  Pipeline source(String yaml) {
    source = yaml;
    return this;
  }

  Pipeline set(String name, Object value) {
    settings.append("        ").append(name).append(": ").append(value).append('\n');
    return this;
  }

  /** Further keys below {@code hub:}. */
  Pipeline hub(String line) {
    hub += "  " + line + "\n";
    return this;
  }

  /** The value of the pipeline's {@code tables} key. */
  Pipeline tables(String yaml) {
    tables = "    tables: " + yaml + "\n";
    return this;
  }

  private String changeStream() {
    return "      type: change-stream\n      files: [ ./" + stream().getFileName() + " ]\n";
  }

  /** Writes the file and returns its path. */
  String write() throws IOException {
    Path file = directory.resolve("hub.yaml");
    Files.writeString(
        file,
        "hub:\n  stateDirectory: ./state\n"
            + hub
            + "pipelines:\n  - name: shop\n    source:\n"
            + (source.isEmpty() ? changeStream() : source)
            + "    target:\n      agent: "
            + agent
            + "\n      settings:\n"
            + target
            + settings
            + tables);
    return file.toString();
  }
}
