package io.corehub.lineage.spark;

import io.openlineage.spark.api.OpenLineageContext;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;
import scala.collection.Iterator;

/** What a job's configuration and the options of one of its relations say. Stateless. */
final class JobConfiguration {

  /**
   * Says which option of the connector names the table; what Microsoft's connector calls it is not
   * published.
   */
  static final String TABLE_OPTION = "spark.corehub.lineage.tableOption";

  private static final String DEFAULT_TABLE_OPTION = "dbtable";

  /** Options that make a save one of the connector's; a plain save may have a table option too. */
  private static final String[] MARKS = {"WorkspaceId", "DatawarehouseId"};

  private JobConfiguration() {}

  /** The session's configuration, and over it the options. */
  static Map<String, String> of(
      OpenLineageContext context, scala.collection.immutable.Map<String, String> options) {
    Map<String, String> all = new HashMap<>();
    context
        .getSparkContext()
        .map(SparkContext::getConf)
        .ifPresent(
            conf -> {
              for (Tuple2<String, String> entry : conf.getAll()) {
                all.put(entry._1(), entry._2());
              }
            });
    context.getSparkSession().map(SparkSession::conf).ifPresent(conf -> put(all, conf.getAll()));
    put(all, options);
    return all;
  }

  private static void put(
      Map<String, String> all, scala.collection.immutable.Map<String, String> more) {
    // Not by Scala's converters: they differ between the versions of Scala that Spark is built for.
    Iterator<Tuple2<String, String>> entries = more.iterator();
    while (entries.hasNext()) {
      Tuple2<String, String> entry = entries.next();
      all.put(entry._1(), entry._2());
    }
  }

  /** The table a save with these options is for; empty if it is not one of the connector's. */
  static Optional<String> table(Map<String, String> configuration) {
    String option = configuration.getOrDefault(TABLE_OPTION, DEFAULT_TABLE_OPTION);
    Optional<String> table = option(configuration, option);
    if (table.isEmpty()) {
      return table;
    }
    String item = table.get().split("\\.", 2)[0];
    boolean marked = configuration.containsKey("spark.datawarehouse." + item + ".sqlendpoint");
    for (String mark : MARKS) {
      marked |= option(configuration, mark).isPresent();
    }
    return marked || configuration.containsKey(TABLE_OPTION) ? table : Optional.empty();
  }

  private static Optional<String> option(Map<String, String> configuration, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return configuration.entrySet().stream()
        .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).equals(lower))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
