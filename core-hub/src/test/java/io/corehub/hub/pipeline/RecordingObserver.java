package io.corehub.hub.pipeline;

import io.corehub.agent.PublishedFile;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.config.ObserverConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps what it is told, after doing whatever a test wants. Thread-safe. */
final class RecordingObserver implements PipelineObserver, ObserverProvider {

  private final Runnable action;
  private final List<String> told = new ArrayList<>();

  RecordingObserver(Runnable action) {
    this.action = action;
  }

  ObserverConfig config() {
    return new ObserverConfig(this, settings().parse(Map.of()));
  }

  synchronized List<String> told() {
    return List.copyOf(told);
  }

  private void note(String what) {
    synchronized (this) {
      told.add(what);
    }
    action.run();
  }

  @Override
  public void started() {
    note("started");
  }

  @Override
  public void filePublished(PublishedFile file) {
    note("file of " + file.table());
  }

  @Override
  public void tableStopped(TableStoppedException reason) {
    note("stopped " + reason.table());
  }

  @Override
  public void ended(Optional<String> problem) {
    note("ended" + problem.map(text -> " " + text).orElse(""));
  }

  @Override
  public void close() {
    note("closed");
  }

  @Override
  public String key() {
    return "recording";
  }

  @Override
  public String description() {
    return "For tests.";
  }

  @Override
  public SettingsSchema settings() {
    return new SettingsSchema(List.of());
  }

  @Override
  public Optional<PipelineObserver> observe(Settings settings, ObservedPipeline pipeline) {
    return Optional.of(this);
  }
}
