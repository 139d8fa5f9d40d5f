package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What Fabric would show, by Microsoft's rules: numbered files in order without a gap; 0 inserts
 * without looking, 1 and 4 replace or insert, 2 deletes; a file without marker is all inserts.
 */
final class LandedTables {

  private final DfsClient client;
  private final String root;

  LandedTables(DfsClient client, String root) {
    this.client = client;
    this.root = root;
  }

  String folder(TableId table) {
    return root + "/" + FolderName.of(table);
  }

  /** The published files of a table by name; fails on a gap. */
  Map<String, LandedFile> files(TableId table) {
    Map<String, LandedFile> files = new TreeMap<>();
    BigInteger expected = BigInteger.ZERO;
    for (String name : names(table)) {
      BigInteger number = new BigInteger(name.substring(0, 20));
      if (expected.signum() > 0 && !number.equals(expected)) {
        throw new AssertionError("Table " + table + ": " + name + " follows a gap");
      }
      expected = number.add(BigInteger.ONE);
      files.put(name, LandedFile.read(bytes(folder(table) + "/" + name)));
    }
    return files;
  }

  List<String> names(TableId table) {
    return entries(table).stream().filter(FileName::isNumbered).sorted().toList();
  }

  /** Everything in the folder. */
  List<String> entries(TableId table) {
    List<String> names = new ArrayList<>();
    try {
      client.list(folder(table), false, entry -> names.add(entry.name()));
    } catch (DfsException e) {
      if (e.kind() != DfsException.Kind.NOT_FOUND) {
        throw e;
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  byte[] bytes(String path) {
    try {
      return client.read(path, 0, DfsClient.MAX_READ_BYTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  List<String> keys(TableId table) {
    if (!entries(table).contains(FileName.METADATA)) {
      return List.of();
    }
    String json =
        new String(bytes(folder(table) + "/" + FileName.METADATA), StandardCharsets.UTF_8);
    List<String> keys = new ArrayList<>();
    Json.parse(json).get("keyColumns").forEach(key -> keys.add(key.asText()));
    return keys;
  }

  Optional<Rows> rows(TableId table) {
    Map<String, LandedFile> files = files(table);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    List<String> keys = keys(table);
    List<Row> rows = new ArrayList<>();
    files.values().forEach(file -> apply(file, keys, rows));
    return Optional.of(Rows.of(rows));
  }

  private static void apply(LandedFile file, List<String> keys, List<Row> rows) {
    if (file.markers().isEmpty()) {
      rows.addAll(file.rows());
      return;
    }
    for (int i = 0; i < file.rows().size(); i++) {
      Row row = file.rows().get(i);
      int marker = file.markers().get(i);
      if (marker != 0) {
        List<String> key = row.key(keys);
        if (keys.isEmpty()) {
          throw new AssertionError("marker " + marker + " without keys");
        }
        rows.removeIf(old -> old.key(keys).equals(key));
      }
      if (marker != 2) {
        rows.add(row);
      } else if (row.cells().size() > keys.size()) {
        throw new AssertionError("a delete carries more than its key: " + row);
      }
      if (marker != 0 && marker != 1 && marker != 2 && marker != 4) {
        throw new AssertionError("marker " + marker);
      }
    }
  }
}
