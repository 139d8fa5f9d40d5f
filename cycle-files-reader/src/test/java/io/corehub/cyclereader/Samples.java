package io.corehub.cyclereader;

import static io.corehub.cyclereader.GoodJob.CYCLES;
import static io.corehub.cyclereader.GoodJob.JOB;
import static io.corehub.cyclereader.GoodJob.completed;
import static io.corehub.cyclereader.GoodJob.contents;
import static io.corehub.cyclereader.GoodJob.data;
import static io.corehub.cyclereader.GoodJob.dataFolder;
import static io.corehub.cyclereader.GoodJob.manifest;
import static io.corehub.cyclereader.GoodJob.rehash;
import static io.corehub.cyclereader.GoodJob.s;
import static io.corehub.cyclereader.GoodJob.schema;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** For each rule a tree that breaks it and no other. */
final class Samples {

  private static final Map<CycleRule, Consumer<MemoryFiles>> INCREMENTAL =
      new EnumMap<>(CycleRule.class);
  private static final Map<CycleRule, Consumer<MemoryFiles>> COMBINED =
      new EnumMap<>(CycleRule.class);

  private Samples() {}

  static MemoryFiles of(CycleRule rule) {
    boolean combined = COMBINED.containsKey(rule);
    MemoryFiles files = combined ? GoodJob.combined() : GoodJob.incremental();
    Consumer<MemoryFiles> broken = (combined ? COMBINED : INCREMENTAL).get(rule);
    if (broken == null) {
      throw new AssertionError("Rule " + rule + " has no sample; add one here");
    }
    broken.accept(files);
    return files;
  }

  /** Changes a data file of cycle 2 as if it had been written so. */
  private static void row(CycleRule rule, String from, String to) {
    INCREMENTAL.put(
        rule,
        files -> {
          files.edit(data(2, "orders"), from, to);
          rehash(files, 2);
        });
  }

  private static void edit(CycleRule rule, String path, String from, String to) {
    INCREMENTAL.put(rule, files -> files.edit(path, from, to));
  }

  static {
    edit(CycleRule.COMPLETED_MALFORMED, completed(2), "NORMAL_EXPIRY", "TIRED");
    edit(CycleRule.COMPLETED_NAME, completed(2), "10-00-41", "10-00-42");
    INCREMENTAL.put(CycleRule.CONTENTS_MISSING, files -> files.remove(contents(2)));
    INCREMENTAL.put(
        CycleRule.NAME_REUSED,
        files ->
            files.put(
                completed(2).replace("completed/", "completed/dt="), files.text(completed(2))));
    INCREMENTAL.put(
        CycleRule.CURRENT_GOES_BACK,
        files -> {
          files.edit(completed(4), s(108, 0), s(105, 0));
          files.edit(manifest(4), "\"order\":\"108\"", "\"order\":\"105\"");
        });
    edit(CycleRule.CONTENTS_PATH, completed(2), "cycle/contents", "cycle/content");
    INCREMENTAL.put(
        CycleRule.TIMES,
        files -> {
          files.edit(completed(2), "10:00:42.500Z", "10:00:40.500Z");
          files.edit(manifest(2), "10:00:42.500Z", "10:00:40.500Z");
        });
    edit(CycleRule.CURRENT_ROW, completed(2), s(104, 1), s(104, 7));

    edit(CycleRule.CONTENTS_MALFORMED, contents(2), "\"inserts\"", "\"insert\"");
    edit(CycleRule.LINE_CYCLE, contents(2), CYCLES.get(1), CYCLES.get(0));
    INCREMENTAL.put(
        CycleRule.LINE_TWICE,
        files -> {
          String text = files.text(contents(2));
          files.put(contents(2), text + text.substring(text.indexOf('\n') + 1));
        });
    INCREMENTAL.put(
        CycleRule.LINE_ORDER,
        files -> {
          String[] lines = files.text(contents(1)).split("\n", -1);
          files.put(contents(1), lines[0] + "\n" + lines[2] + "\n" + lines[1] + "\n");
        });
    edit(CycleRule.COUNTS, contents(2), "\"0\",\"0\",\"1\"", "\"0\",\"1\",\"1\"");
    edit(CycleRule.BOUNDS, contents(2), s(104, 1), s(103, 9));
    INCREMENTAL.put(
        CycleRule.KIND_OF_JOB,
        files -> files.editAll(contents(2), s(104, 1), "00000000100000000104" + s(104, 1)));

    INCREMENTAL.put(CycleRule.DATA_MISSING, files -> files.remove(data(2, "orders")));
    INCREMENTAL.put(
        CycleRule.DATA_EXTRA,
        files ->
            files.put(
                data(2, "orders").replace(".csv", "_0002.csv"), files.text(data(2, "orders"))));
    row(CycleRule.DATA_DAMAGED, "\"NEW\",,\n", "\"NEW\",,");
    row(CycleRule.DATA_COLUMNS, "\"v\"", "\"w\"");
    row(CycleRule.OPERATION, "\"D\"", "\"Q\"");
    row(CycleRule.SEQUENCE, s(104, 1), "104");
    INCREMENTAL.put(
        CycleRule.ROW_ORDER,
        files -> {
          files.edit(data(1, "orders"), s(102, 1), "swap");
          files.edit(data(1, "orders"), s(102, 2), s(102, 1));
          files.edit(data(1, "orders"), "swap", s(102, 2));
          rehash(files, 1);
        });
    COMBINED.put(
        CycleRule.PREFIX_VERSION,
        files -> {
          for (String path : new String[] {data(3, "orders"), contents(3), manifest(3)}) {
            files.editAll(path, "00000000100000000104", "00000000100000000204");
          }
          rehash(files, 3);
        });
    COMBINED.put(
        CycleRule.PHASE,
        files -> {
          files.edit(data(3, "orders"), "\"I\"", "\"Y\"");
          files.edit(
              contents(3),
              "\"1\",\"0\",\"0\",\"0\",\"0\",\"0\"",
              "\"0\",\"0\",\"0\",\"0\",\"1\",\"0\"");
          rehash(files, 3);
        });
    INCREMENTAL.put(
        CycleRule.BEYOND_CURRENT,
        files -> {
          files.edit(completed(2), s(104, 1), s(103, 2));
          files.edit(manifest(2), "\"order\":\"104\"", "\"order\":\"103\"");
        });
    INCREMENTAL.put(
        CycleRule.SPLIT,
        files -> {
          for (String path : new String[] {data(3, "customers"), contents(3), manifest(3)}) {
            files.editAll(path, s(106, 1), s(104, 9));
          }
          files.edit(completed(3), s(106, 1), s(106, 0));
          rehash(files, 3);
        });
    row(CycleRule.VALUE, "\"2\"", "\"two\"");
    INCREMENTAL.put(
        CycleRule.NO_ROWS,
        files -> {
          String second = data(2, "orders").replace(".csv", "_0002.csv");
          files.put(second, files.text(data(2, "orders")).split("\n")[0] + "\n");
          files.edit(
              manifest(2),
              "\"files\":[",
              "\"files\":[{\"path\":\""
                  + second
                  + "\",\"table\":\"sales.orders\",\"schemaVersion\":1,\"rows\":0,\"bytes\":0,"
                  + "\"sha256\":\"\",\"firstSequence\":\"\",\"lastSequence\":\"\"},");
          rehash(files, 2);
        });

    INCREMENTAL.put(CycleRule.SCHEMA_MISSING, files -> files.remove(schema("orders")));
    edit(CycleRule.SCHEMA_MALFORMED, schema("orders"), "\"record\"", "\"enum\"");
    edit(CycleRule.SCHEMA_VERSION, schema("orders"), "\"schemaVersion\":1", "\"schemaVersion\":2");

    INCREMENTAL.put(CycleRule.MANIFEST_MISSING, files -> files.remove(manifest(2)));
    edit(CycleRule.MANIFEST_MALFORMED, manifest(2), "\"job\"", "\"boj\"");
    edit(CycleRule.MANIFEST_DISAGREES, manifest(2), "NORMAL_EXPIRY", "NORMAL_COMMIT");
    edit(CycleRule.DATA_CHANGED, data(2, "orders"), "NEW", "OLD");
    edit(CycleRule.MANIFEST_FILE, manifest(2), "\"rows\":1", "\"rows\":2");
    edit(CycleRule.GAP, manifest(3), CYCLES.get(1), CYCLES.get(0));
    edit(
        CycleRule.EARLIER_REMOVED,
        manifest(1),
        "\"timeline\"",
        "\"previousCycle\":\"2026-11-29-09-00-00\",\"timeline\"");
    edit(CycleRule.IDENTITY, manifest(4), "\"t-1\"", "\"t-2\"");
    edit(CycleRule.STATE, manifest(4), "\"appliedOrder\":\"104\"", "\"appliedOrder\":\"103\"");
    INCREMENTAL.put(
        CycleRule.NO_MANIFESTS,
        files -> {
          for (int cycle = 1; cycle <= 4; cycle++) {
            files.remove(manifest(cycle));
          }
        });

    INCREMENTAL.put(
        CycleRule.OLD_LEFTOVER,
        files ->
            files.put(
                JOB + "/data/orders/data/2026-11-29-10-00-06/orders_20261129100006.csv", "x"));
    INCREMENTAL.put(
        CycleRule.OPEN_CYCLE,
        files ->
            files.put(
                JOB + "/data/orders/data/2026-11-29-11-00-00/orders_20261129110000.csv", "x"));
    INCREMENTAL.put(
        CycleRule.TEMPORARY,
        files -> files.put(dataFolder(2, "orders") + "/_tmp_orders_20261129100041.csv.1f", "x"));
    INCREMENTAL.put(CycleRule.STRANGER, files -> files.put(JOB + "/data/orders/notes.txt", "x"));
  }
}
