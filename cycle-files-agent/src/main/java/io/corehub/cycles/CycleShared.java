package io.corehub.cycles;

import io.corehub.agent.Meters;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.News;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;
import io.corehub.storage.ObjectStore;
import java.time.InstantSource;

/**
 * What the parts of an open agent share. Immutable; its parts are thread-safe.
 *
 * @param config the agent's settings
 * @param pipeline whose job it is
 * @param store the storage
 * @param workers threads and timer
 * @param slots bounds what is uploaded at a time
 * @param memory bytes that may be held
 * @param ledger what is confirmed
 * @param news carries news to the host
 * @param meters figures
 * @param clock wall clock
 * @param turn guards everything that is said to be guarded by it
 */
record CycleShared(
    CycleConfig config,
    String pipeline,
    ObjectStore store,
    Workers workers,
    UploadSlots slots,
    MemoryBudget memory,
    ConfirmationLedger ledger,
    News news,
    Meters meters,
    InstantSource clock,
    Object turn) {}
