package io.corehub.emulator.internal.server;

import java.util.Map;

/** Gives tokens out. Thread-safe. */
interface TokenEndpoint {

  /**
   * Answers a token request.
   *
   * @param form the fields of its body
   */
  Answer token(Call call, Map<String, String> form);

  /** What this endpoint answers for an error that a fault rule asks for. */
  Answer injected(int status, String code);
}
