package io.corehub.emulator;

/** What the emulator's forward proxy does with those who sign in to it. */
public enum ProxyMode {
  /** There is no proxy. */
  NONE,
  /** It tunnels. */
  TUNNEL,
  /** It lets nobody through. */
  BLOCK,
  /** It inspects TLS: it answers with certificates of its own authority. */
  INTERCEPT
}
