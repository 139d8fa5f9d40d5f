package io.corehub.lineage.spark;

import io.corehub.lineage.naming.FabricSqlAddress;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineageClientUtils;
import io.openlineage.client.transports.EventTransformer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts right what OpenLineage's Spark integration reports beside the plug-in's own datasets: tables
 * of a Fabric workspace that it names {@code sqlserver://}, and the folder that a write was staged
 * in. For the client's {@code transform} transport. Stateless.
 */
public final class FabricEventTransformer implements EventTransformer {

  private static final String SQL_SERVER = "sqlserver://";

  /** Creates the transformer; used by the client. */
  public FabricEventTransformer() {}

  @Override
  @SuppressWarnings("unchecked")
  public RunEvent transform(RunEvent event) {
    Map<String, Object> tree = OpenLineageClientUtils.convertValue(event, Map.class);
    rename(tree);
    merge(list(tree, "inputs"));
    List<Map<String, Object>> outputs = list(tree, "outputs");
    takeStagedFoldersOut(outputs);
    merge(outputs);
    return OpenLineageClientUtils.runEventFromJson(OpenLineageClientUtils.toJson(tree));
  }

  /** Renames wherever a dataset is named: inputs, outputs, and the lineage of columns. */
  private static void rename(Object node) {
    if (node instanceof Map) {
      @SuppressWarnings("unchecked")
      Map<String, Object> map = (Map<String, Object>) node;
      Object namespace = map.get("namespace");
      if (namespace instanceof String && ((String) namespace).startsWith(SQL_SERVER)) {
        Optional<FabricSqlAddress> address =
            FabricSqlAddress.parse(((String) namespace).substring(SQL_SERVER.length()));
        address.ifPresent(known -> map.put("namespace", known.namespace()));
      }
      map.values().forEach(FabricEventTransformer::rename);
    } else if (node instanceof List) {
      ((List<?>) node).forEach(FabricEventTransformer::rename);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> tree, String name) {
    Object list = tree.get(name);
    List<Map<String, Object>> copy =
        list instanceof List
            ? new ArrayList<>((List<Map<String, Object>>) list)
            : new ArrayList<>();
    tree.put(name, copy);
    return copy;
  }

  private static void takeStagedFoldersOut(List<Map<String, Object>> outputs) {
    Set<String> folders = new HashSet<>();
    Map<String, Object> found = new LinkedHashMap<>();
    for (Map<String, Object> output : outputs) {
      Object staged = facets(output).remove(DatasetFacets.STAGED);
      if (staged instanceof Map) {
        String folder = String.valueOf(((Map<?, ?>) staged).get(DatasetFacets.FOLDER));
        folders.add(path(folder));
      }
    }
    if (folders.isEmpty()) {
      return;
    }
    Iterator<Map<String, Object>> all = outputs.iterator();
    while (all.hasNext()) {
      Map<String, Object> output = all.next();
      boolean folder = folders.contains(path(named(output)));
      if (folder) {
        facets(output).forEach(found::putIfAbsent);
        found.remove("lifecycleStateChange");
      }
      if (folder || DatasetFacets.NO_OUTPUT.equals(output.get("namespace"))) {
        all.remove();
      }
    }
    // The lineage of columns is told of the folder alone, and is the table's.
    Object columns = found.get("columnLineage");
    if (columns != null && outputs.size() == 1) {
      facets(outputs.get(0)).putIfAbsent("columnLineage", columns);
    }
  }

  private static String named(Map<String, Object> dataset) {
    return dataset.get("namespace") + "/" + dataset.get("name");
  }

  /** A folder's place without scheme, host and doubled slashes, as both sides spell it. */
  private static String path(String uri) {
    String path = uri.replaceFirst("^[a-z]+:", "/").replaceFirst("^file/", "/");
    return path.replaceAll("/+", "/").replaceAll("/$", "");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> facets(Map<String, Object> dataset) {
    return (Map<String, Object>)
        dataset.computeIfAbsent("facets", key -> new LinkedHashMap<String, Object>());
  }

  /** The same dataset named twice becomes one, with the facets of both; Fabric's own win. */
  private static void merge(List<Map<String, Object>> datasets) {
    Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
    for (Map<String, Object> dataset : datasets) {
      String name = named(dataset);
      Map<String, Object> known = byName.putIfAbsent(name, dataset);
      if (known != null) {
        boolean richer = facets(dataset).containsKey("fabric_onelake");
        Map<String, Object> better = richer ? dataset : known;
        Map<String, Object> other = richer ? known : dataset;
        facets(other).forEach((facet, value) -> facets(better).putIfAbsent(facet, value));
        other.forEach(better::putIfAbsent);
        byName.put(name, better);
      }
    }
    datasets.clear();
    datasets.addAll(byName.values());
  }
}
