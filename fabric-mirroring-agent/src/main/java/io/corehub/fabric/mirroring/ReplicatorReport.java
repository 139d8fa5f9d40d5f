package io.corehub.fabric.mirroring;

import java.time.Instant;
import java.util.Optional;

/**
 * What {@code replicator.json} says of the mirrored database as a whole. Immutable.
 *
 * @param status its status
 * @param heartbeat when the replicator last showed that it lives; empty if it does not say
 */
record ReplicatorReport(FabricStatus status, Optional<Instant> heartbeat) {}
