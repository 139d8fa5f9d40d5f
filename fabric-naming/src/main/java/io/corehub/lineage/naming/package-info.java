/**
 * How OpenLineage names the tables of Microsoft Fabric and of the databases they come from.
 *
 * <p>Needs nothing but the JDK, from Java 11 on, so that a Spark job can load it too. All classes
 * are immutable or stateless and may be used by any thread; nothing here speaks to Fabric.
 */
@NullMarked
package io.corehub.lineage.naming;

import org.jspecify.annotations.NullMarked;
