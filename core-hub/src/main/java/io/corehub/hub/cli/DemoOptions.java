package io.corehub.hub.cli;

import java.time.Duration;
import java.util.Optional;

/**
 * What the user asked of the demo. Immutable.
 *
 * @param port port of the status page; 0 for any free one
 * @param openBrowser whether to open the status page in a browser
 * @param duration when to stop by itself; empty for when interrupted
 */
public record DemoOptions(int port, boolean openBrowser, Optional<Duration> duration) {}
