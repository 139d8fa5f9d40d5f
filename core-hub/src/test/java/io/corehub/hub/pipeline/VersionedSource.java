package io.corehub.hub.pipeline;

import io.corehub.agent.Finding;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceProvider;
import io.corehub.hub.source.SourceSink;
import java.util.List;
import java.util.function.Supplier;

/** A source without tables that is asked for its version. */
record VersionedSource(Supplier<String> answer) implements SourceProvider, Source {

  @Override
  public String type() {
    return "versioned";
  }

  @Override
  public SettingsSchema settings() {
    return new SettingsSchema(List.of());
  }

  @Override
  public Source create(Settings settings, SourceContext context) {
    return this;
  }

  @Override
  public boolean finite() {
    return true;
  }

  @Override
  public String version() {
    return answer.get();
  }

  @Override
  public List<Finding> check() {
    return List.of(new Finding(Finding.Severity.OK, "Fine."));
  }

  @Override
  public void run(SourceSink sink) {}

  @Override
  public void contents(SourceSink sink) throws InterruptedException {
    run(sink);
  }

  @Override
  public void confirmed(SourcePosition upTo) {}

  @Override
  public void stop() {}

  @Override
  public void close() {}
}
