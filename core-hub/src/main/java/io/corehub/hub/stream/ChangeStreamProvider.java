package io.corehub.hub.stream;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceProvider;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Change-stream files as a source. Thread-safe. */
public final class ChangeStreamProvider implements SourceProvider {

  private static final Setting<String> FILES =
      Setting.file(
              "files",
              "Change-stream files",
              "Files or named pipes, read one after the other as one stream.")
          .mandatory();

  private static final SettingsSchema SETTINGS = new SettingsSchema(List.of(FILES));

  /** Made by {@link java.util.ServiceLoader}. */
  public ChangeStreamProvider() {}

  @Override
  public String type() {
    return "change-stream";
  }

  @Override
  public SettingsSchema settings() {
    return SETTINGS;
  }

  @Override
  public Source create(Settings settings, SourceContext context) {
    List<Path> files =
        Arrays.stream(settings.get(FILES).split("\n", -1))
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .map(Path::of)
            .toList();
    // A line in memory and its vectors must fit a small heap beside everything else.
    long longLine = Math.max(1 << 20, Math.min(8 << 20, Runtime.getRuntime().maxMemory() / 32));
    return new ChangeStreamSource(files, context, (int) longLine, RowLimit.ofHeap());
  }
}
