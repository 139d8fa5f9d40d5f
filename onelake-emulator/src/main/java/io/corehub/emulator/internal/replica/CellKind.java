package io.corehub.emulator.internal.replica;

/** What a column of a mirrored table holds. */
enum CellKind {
  BOOLEAN("boolean"),
  BYTE("byte"),
  SHORT("short"),
  INT("integer"),
  LONG("long"),
  FLOAT("float"),
  DOUBLE("double"),
  DECIMAL("decimal"),
  STRING("string"),
  BINARY("binary"),
  DATE("date"),
  LOCAL_TIME("time"),
  UTC_TIME("time in UTC"),
  LOCAL_TIMESTAMP("timestamp_ntz"),
  UTC_TIMESTAMP("timestamp");

  /** Decimals up to this precision are held in a long. */
  static final int MAX_LONG_DIGITS = 18;

  private final String word;

  CellKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
