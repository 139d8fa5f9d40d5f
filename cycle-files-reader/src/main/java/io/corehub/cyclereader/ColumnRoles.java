package io.corehub.cyclereader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the columns of a data file are. The first two are operation type and sequence. Immutable.
 *
 * @param data where the table's columns stand
 * @param old where their old values stand
 */
record ColumnRoles(List<Place> data, List<Place> old) {

  private static final String OPERATION = "OPERATION_TYPE";
  private static final String SEQUENCE = "SORTABLE_SEQUENCE";
  private static final List<String> OTHERS =
      List.of("OPERATION_TIME", "OPERATION_OWNER", "TRANSACTION_ID");
  private static final String USUAL_SUFFIX = "_OLD";

  /** Takes copies. */
  ColumnRoles {
    data = List.copyOf(data);
    old = List.copyOf(old);
  }

  /**
   * A column of the table.
   *
   * @param index its place in the file
   * @param name its name in the table
   */
  record Place(int index, String name) {}

  /** The roles that a schema file tells; the file has its columns. */
  static ColumnRoles of(SchemaDoc schema) {
    List<Place> data = new ArrayList<>();
    List<Place> old = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      SchemaDoc.Field field = schema.fields().get(i);
      if (field.oldValueOf().isPresent()) {
        old.add(new Place(i, field.oldValueOf().get()));
      } else if (!field.metadata()) {
        data.add(new Place(i, field.name()));
      }
    }
    return new ColumnRoles(data, old);
  }

  /**
   * The roles that the names tell.
   *
   * @return empty if the first two columns are not operation type and sequence
   */
  static Optional<ColumnRoles> of(List<String> names) {
    if (names.size() < 2 || !names.get(0).endsWith(OPERATION)) {
      return Optional.empty();
    }
    String prefix = names.get(0).substring(0, names.get(0).length() - OPERATION.length());
    if (!names.get(1).equals(prefix + SEQUENCE)) {
      return Optional.empty();
    }
    int first = 2;
    for (String other : OTHERS) {
      if (first < names.size() && names.get(first).equals(prefix + other)) {
        first++;
      }
    }
    int split = split(names, first);
    List<Place> data = new ArrayList<>();
    for (int i = first; i < split; i++) {
      data.add(new Place(i, names.get(i)));
    }
    List<Place> old = new ArrayList<>();
    String suffix = split < names.size() ? suffix(names, first, split).orElseThrow() : "";
    for (int i = split; i < names.size(); i++) {
      String name = names.get(i);
      old.add(new Place(i, name.substring(0, name.length() - suffix.length())));
    }
    return Optional.of(new ColumnRoles(data, old));
  }

  /** Where the old values begin: as early as the names allow. */
  private static int split(List<String> names, int first) {
    int all = names.size() - first;
    for (int split = first + (all + 1) / 2; split < names.size(); split++) {
      boolean every = 2 * (split - first) == all;
      Optional<String> suffix = suffix(names, first, split);
      if (suffix.isPresent() && (every || suffix.get().equals(USUAL_SUFFIX))) {
        return split;
      }
    }
    return names.size();
  }

  /** What the names behind a place have behind names before it, each once and in their order. */
  private static Optional<String> suffix(List<String> names, int first, int split) {
    Set<String> candidates = new LinkedHashSet<>();
    for (String name : names.subList(first, split)) {
      String old = names.get(split);
      if (old.length() > name.length() && old.startsWith(name)) {
        candidates.add(old.substring(name.length()));
      }
    }
    Map<String, Integer> places = new HashMap<>();
    for (int i = first; i < split; i++) {
      places.put(names.get(i), i);
    }
    return candidates.stream()
        .filter(suffix -> inOrder(names.subList(split, names.size()), suffix, places))
        .findFirst();
  }

  private static boolean inOrder(List<String> olds, String suffix, Map<String, Integer> places) {
    int last = -1;
    for (String old : olds) {
      if (!old.endsWith(suffix)) {
        return false;
      }
      int place = places.getOrDefault(old.substring(0, old.length() - suffix.length()), -1);
      if (place <= last) {
        return false;
      }
      last = place;
    }
    return true;
  }
}
