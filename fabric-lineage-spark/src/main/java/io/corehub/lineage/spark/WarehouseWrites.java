package io.corehub.lineage.spark;

import io.corehub.lineage.naming.Dataset;
import io.corehub.lineage.naming.FabricConnector;
import io.openlineage.client.OpenLineage.OutputDataset;
import io.openlineage.spark.api.OpenLineageContext;
import io.openlineage.spark.api.QueryPlanVisitor;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;

/**
 * Recognises the first step of a write through Fabric's connector: files saved to a temporary
 * folder, with the connector's options. The table being loaded is the output. The folder is told
 * with it, so that {@link FabricEventTransformer} takes it out: the integration reports it too.
 */
final class WarehouseWrites
    extends QueryPlanVisitor<InsertIntoHadoopFsRelationCommand, OutputDataset> {

  WarehouseWrites(OpenLineageContext context) {
    super(context);
  }

  @Override
  public boolean isDefinedAt(LogicalPlan plan) {
    return table(plan).isPresent();
  }

  @Override
  public List<OutputDataset> apply(LogicalPlan plan) {
    InsertIntoHadoopFsRelationCommand save = (InsertIntoHadoopFsRelationCommand) plan;
    Map<String, String> configuration = JobConfiguration.of(context, save.options());
    Optional<Dataset> dataset =
        table(plan).flatMap(table -> FabricConnector.written(table, configuration));
    DatasetFacets facets = new DatasetFacets(context.getOpenLineage());
    return Collections.singletonList(
        facets.output(dataset, save.query().schema(), save.outputPath().toUri()));
  }

  private Optional<String> table(LogicalPlan plan) {
    if (!(plan instanceof InsertIntoHadoopFsRelationCommand)) {
      return Optional.empty();
    }
    Map<String, String> configuration =
        JobConfiguration.of(context, ((InsertIntoHadoopFsRelationCommand) plan).options());
    return JobConfiguration.table(configuration);
  }
}
