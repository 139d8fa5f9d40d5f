package io.corehub.lineage.spark;

import io.openlineage.client.OpenLineage.InputDataset;
import io.openlineage.client.OpenLineage.OutputDataset;
import io.openlineage.spark.api.OpenLineageContext;
import io.openlineage.spark.api.OpenLineageEventHandlerFactory;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.PartialFunction;

/**
 * What OpenLineage's Spark integration loads: visitors that recognise reads and writes of Fabric
 * warehouses. Stateless.
 */
public final class FabricEventHandlerFactory implements OpenLineageEventHandlerFactory {

  /** Creates the factory; used by {@link java.util.ServiceLoader}. */
  public FabricEventHandlerFactory() {}

  @Override
  public Collection<PartialFunction<LogicalPlan, List<InputDataset>>>
      createInputDatasetQueryPlanVisitors(OpenLineageContext context) {
    return Collections.singletonList(new WarehouseReads(context));
  }

  @Override
  public Collection<PartialFunction<LogicalPlan, List<OutputDataset>>>
      createOutputDatasetQueryPlanVisitors(OpenLineageContext context) {
    return Collections.singletonList(new WarehouseWrites(context));
  }
}
