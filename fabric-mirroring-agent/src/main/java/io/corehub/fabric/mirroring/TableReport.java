package io.corehub.fabric.mirroring;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@code tables.json} says of one table. Immutable.
 *
 * @param schema schema in the source; empty for none
 * @param name name in the source
 * @param status its status
 * @param operations inserts, updates and deletes applied since the table exists, added up: never a
 *     number of rows
 * @param bytes bytes they came in
 * @param lastSourceCommit commit time of the last change that is in, if Fabric knows one
 * @param lastSync when Fabric last applied something; empty if it never did
 */
record TableReport(
    String schema,
    String name,
    FabricStatus status,
    OptionalLong operations,
    OptionalLong bytes,
    Optional<Instant> lastSourceCommit,
    Optional<Instant> lastSync) {}
