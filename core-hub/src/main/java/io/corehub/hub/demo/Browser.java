package io.corehub.hub.demo;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens pages in the user's browser where there is one. Stateless. */
final class Browser {

  private static final Logger LOG = LoggerFactory.getLogger(Browser.class);

  private Browser() {}

  static void open(String url) {
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    boolean display = System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null;
    if (!mac && !display) {
      return;
    }
    try {
      new ProcessBuilder(mac ? "open" : "xdg-open", url)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      LOG.debug("No browser could be opened for {}", url, e);
    }
  }
}
