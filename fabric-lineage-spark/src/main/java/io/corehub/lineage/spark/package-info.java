/**
 * A plug-in of OpenLineage's Spark integration that names Fabric warehouses as the naming
 * conventions do. It adds no listener: the integration finds {@link
 * io.corehub.lineage.spark.FabricEventHandlerFactory} by {@link java.util.ServiceLoader}, and its
 * {@code transform} transport is told to use {@link
 * io.corehub.lineage.spark.FabricEventTransformer}.
 */
@NullMarked
package io.corehub.lineage.spark;

import org.jspecify.annotations.NullMarked;
