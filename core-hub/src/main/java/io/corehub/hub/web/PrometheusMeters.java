package io.corehub.hub.web;

import io.corehub.agent.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Figures of agents and sources in Prometheus form; names get the prefix {@code corehub_}.
 * Thread-safe.
 */
public final class PrometheusMeters implements AutoCloseable {

  private static final String PREFIX = "corehub.";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /**
   * The meters of one pipeline.
   *
   * @param pipeline label of all its figures
   * @return meters that never fail
   */
  public Meters of(String pipeline) {
    Tags common = Tags.of("pipeline", pipeline);
    return new Meters() {
      @Override
      public void add(String name, double amount, String... labels) {
        Counter.builder(PREFIX + name)
            .tags(common.and(labels))
            .register(registry)
            .increment(amount);
      }

      @Override
      public void gauge(String name, DoubleSupplier value, String... labels) {
        Gauge.builder(PREFIX + name, value, DoubleSupplier::getAsDouble)
            .strongReference(true)
            .tags(common.and(labels))
            .register(registry);
      }

      @Override
      public void seconds(String name, double seconds, String... labels) {
        Timer.builder(PREFIX + name)
            .tags(common.and(labels))
            .register(registry)
            .record((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
      }
    };
  }

  /**
   * All figures.
   *
   * @return Prometheus text format
   */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
