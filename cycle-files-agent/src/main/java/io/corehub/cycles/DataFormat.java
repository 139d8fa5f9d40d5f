package io.corehub.cycles;

/** How data files are written. */
enum DataFormat {
  /** Comma-separated text. */
  CSV(".csv"),
  /** The same, packed by gzip. */
  CSV_GZIP(".csv.gz"),
  /** Parquet. */
  PARQUET(".parquet");

  private final String ending;

  DataFormat(String ending) {
    this.ending = ending;
  }

  /** End of the files' names, with its dot. */
  String ending() {
    return ending;
  }
}
