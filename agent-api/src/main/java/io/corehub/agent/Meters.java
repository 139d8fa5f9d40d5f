package io.corehub.agent;

import java.util.function.DoubleSupplier;

/**
 * Where an agent reports figures. Thread-safe. Names are dotted words such as {@code
 * uploads.active}; labels come in pairs of key and value. The host adds its own prefix and its own
 * labels for the pipeline.
 */
public interface Meters {

  /** Figures nobody looks at. */
  Meters NONE =
      new Meters() {
        @Override
        public void add(String name, double amount, String... labels) {}

        @Override
        public void gauge(String name, DoubleSupplier value, String... labels) {}

        @Override
        public void seconds(String name, double seconds, String... labels) {}
      };

  /**
   * Adds to a counter.
   *
   * @param name name
   * @param amount what to add, not negative
   * @param labels pairs of key and value
   */
  void add(String name, double amount, String... labels);

  /**
   * Registers a value that is read when somebody looks.
   *
   * @param name name
   * @param value quick and thread-safe
   * @param labels pairs of key and value
   */
  void gauge(String name, DoubleSupplier value, String... labels);

  /**
   * Records how long something took.
   *
   * @param name name
   * @param seconds seconds
   * @param labels pairs of key and value
   */
  void seconds(String name, double seconds, String... labels);
}
