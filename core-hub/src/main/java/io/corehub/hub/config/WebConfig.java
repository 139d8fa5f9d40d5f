package io.corehub.hub.config;

/**
 * Where the web server listens. Immutable.
 *
 * @param host host name or address
 * @param port port; 0 for any free one
 */
public record WebConfig(String host, int port) {

  /** Address to listen on when the file names none. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** Port to listen on when the file names none. */
  public static final int DEFAULT_PORT = 8080;

  /**
   * Whether only this machine can reach it.
   *
   * @return true for the loopback interface
   */
  public boolean loopback() {
    return host.equals("localhost") || host.equals("::1") || host.startsWith("127.");
  }
}
