package io.corehub.cycles;

import io.corehub.agent.Meters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/** Adds figures up, whatever their labels. Thread-safe. */
final class CountingMeters implements Meters {

  private final Map<String, Double> sums = new ConcurrentHashMap<>();
  private final Map<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();

  @Override
  public void add(String name, double amount, String... labels) {
    sums.merge(name, amount, Double::sum);
    for (int i = 0; i < labels.length; i += 2) {
      sums.merge(name + " " + labels[i] + "=" + labels[i + 1], amount, Double::sum);
    }
  }

  @Override
  public void gauge(String name, DoubleSupplier value, String... labels) {
    gauges.put(name, value);
  }

  @Override
  public void seconds(String name, double seconds, String... labels) {
    sums.merge(name, seconds, Double::sum);
  }

  /** What was added under a name, or under a name and one label as {@code name label=value}. */
  double sum(String name) {
    return sums.getOrDefault(name, 0.0);
  }

  double gauge(String name) {
    return gauges.getOrDefault(name, () -> Double.NaN).getAsDouble();
  }
}
