package io.corehub.emulator;

import java.nio.file.Path;

/**
 * What a client needs to use the emulator's forward proxy. Immutable.
 *
 * @param url {@code http://user:password@localhost:port}; masked in {@link #toString}
 * @param caCertificate PEM file of the authority whose certificates an intercepting proxy shows
 */
public record ProxyConnection(String url, Path caCertificate) {
  @Override
  public String toString() {
    return "ProxyConnection[" + url.replaceAll("//[^@]*@", "//***@") + "]";
  }
}
