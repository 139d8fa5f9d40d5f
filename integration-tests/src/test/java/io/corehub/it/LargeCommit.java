package io.corehub.it;

import java.io.BufferedWriter;
import java.io.IOException;

/** Lines of a change stream whose only commit inserts many rows into the table {@code narrow}. */
final class LargeCommit {

  static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"narrow\",\"columns\":[{\"name\":\"id\",\"type\":\"LONG\"},{\"name\":\"name\",\"type\":\"STRING\"},{\"name\":\"amount\",\"type\":\"BIG_DECIMAL\",\"precision\":18,\"scale\":4},{\"name\":\"at\",\"type\":\"LOCAL_DATE_TIME\"},{\"name\":\"ok\",\"type\":\"BOOLEAN\"}],\"primaryKey\":[\"id\"]}\n";

  private LargeCommit() {}

  /** The table, and the beginning of the commit. */
  static void begin(BufferedWriter out) throws IOException {
    out.write(TABLE);
    out.write("{\"kind\":\"snapshotEnd\",\"table\":\"narrow\"}\n");
    out.write("{\"kind\":\"commit\",\"position\":1,\"changes\":[");
  }

  /** Rows of the commit, each with its number as key. */
  static void changes(BufferedWriter out, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      out.write(i == 0 ? "" : ",");
      out.write("{\"op\":\"insert\",\"table\":\"narrow\",\"after\":");
      row(out, i);
      out.write("}");
    }
  }

  /** The end of the commit. */
  static void end(BufferedWriter out) throws IOException {
    out.write("]}\n");
  }

  /** A row as JSON. */
  static void row(BufferedWriter out, int i) throws IOException {
    out.write(
        "{\"id\":"
            + i
            + ",\"name\":\"customer "
            + i % 5000
            + "\",\"amount\":\""
            + i % 100_000
            + ".25\",\"at\":\"2026-01-02T03:04:05."
            + (100_000 + i % 900_000)
            + "\",\"ok\":"
            + (i % 3 == 0)
            + "}");
  }
}
