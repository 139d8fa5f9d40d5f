package io.corehub.lineage.spark;

import io.corehub.lineage.naming.Dataset;
import io.corehub.lineage.naming.FabricConnector;
import io.openlineage.client.OpenLineage.InputDataset;
import io.openlineage.spark.api.OpenLineageContext;
import io.openlineage.spark.api.QueryPlanVisitor;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation;

/**
 * Recognises a table that is read over a SQL Server connection to a Fabric workspace. A query in
 * place of a table is left to the integration, which parses it.
 */
final class WarehouseReads extends QueryPlanVisitor<LogicalRelation, InputDataset> {

  WarehouseReads(OpenLineageContext context) {
    super(context);
  }

  @Override
  public boolean isDefinedAt(LogicalPlan plan) {
    return dataset(plan).isPresent();
  }

  @Override
  public List<InputDataset> apply(LogicalPlan plan) {
    return dataset(plan)
        .map(
            dataset ->
                new DatasetFacets(context.getOpenLineage())
                    .input(dataset, ((LogicalRelation) plan).schema()))
        .map(Collections::singletonList)
        .orElse(Collections.emptyList());
  }

  private Optional<Dataset> dataset(LogicalPlan plan) {
    if (!(plan instanceof LogicalRelation)
        || !(((LogicalRelation) plan).relation() instanceof JDBCRelation)) {
      return Optional.empty();
    }
    JDBCRelation relation = (JDBCRelation) ((LogicalRelation) plan).relation();
    Map<String, String> configuration =
        JobConfiguration.of(context, relation.jdbcOptions().parameters());
    return FabricConnector.read(
        relation.jdbcOptions().url(), relation.jdbcOptions().tableOrQuery(), configuration);
  }
}
