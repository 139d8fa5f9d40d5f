/**
 * Tells a lineage catalogue what the agents move, by OpenLineage events.
 *
 * <p>A host finds {@link io.corehub.lineage.LineageProvider} by {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.corehub.lineage;

import org.jspecify.annotations.NullMarked;
