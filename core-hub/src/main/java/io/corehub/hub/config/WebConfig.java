package io.corehub.hub.config;

import io.corehub.agent.settings.Secret;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where the web server listens, and whom it answers. Immutable.
 *
 * @param host host name or address
 * @param port port; 0 for any free one
 * @param token what a request must show; empty if nothing, which only the loopback interface allows
 */
public record WebConfig(String host, int port, Optional<Secret> token) {

  /** Address to listen on when the file names none. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** Port to listen on when the file names none. */
  public static final int DEFAULT_PORT = 8080;

  /** Fewest characters of a token: at the server's rate, nobody guesses this many. */
  public static final int MIN_TOKEN_LENGTH = 16;

  private static final Pattern LOOPBACK_ADDRESS = Pattern.compile("127(\\.\\d{1,3}){3}");
  private static final Pattern TOKEN = Pattern.compile("[!-~]{" + MIN_TOKEN_LENGTH + ",}");

  /**
   * A server that asks for no token.
   *
   * @param host host name or address
   * @param port port; 0 for any free one
   */
  public WebConfig(String host, int port) {
    this(host, port, Optional.empty());
  }

  /**
   * Whether only this machine can reach it.
   *
   * @return true for the loopback interface; false for a name that merely looks like it
   */
  public boolean loopback() {
    return host.equals("localhost")
        || host.equals("::1")
        || LOOPBACK_ADDRESS.matcher(host).matches();
  }

  /**
   * Whether a text may be a token: it must fit in a header as it is, and not be guessed.
   *
   * @param text the text
   * @return whether it is long enough and all of its characters are visible ASCII ones
   */
  public static boolean isToken(String text) {
    return TOKEN.matcher(text).matches();
  }
}
