package io.corehub.hub.cli;

import org.slf4j.bridge.SLF4JBridgeHandler;

/** Log output: logback writes to standard error, and java.util.logging goes there too. */
final class Logging {

  private Logging() {}

  static void start() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }
}
