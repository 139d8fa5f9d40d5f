package io.corehub.emulator;

/** When the server's certificate is valid, seen from now. */
public enum CertificateDates {
  /** From yesterday on, for ten years. */
  VALID,
  /** Until yesterday. */
  EXPIRED,
  /** From tomorrow on. */
  NOT_YET_VALID
}
