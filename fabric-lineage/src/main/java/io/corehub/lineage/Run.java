package io.corehub.lineage;

import java.util.UUID;

/**
 * One run of a job. Immutable.
 *
 * @param id its id, never used again
 * @param job its job
 */
record Run(UUID id, JobKey job) {}
