package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What was published of a table, as far as Fabric should have taken it. Immutable.
 *
 * @param table the table
 * @param folder path of its folder
 * @param incarnation the folder's life
 * @param last number of the last file; 0 for none
 * @param lastAt when that file was published, if by this run
 */
record PublishedFiles(
    TableId table, String folder, UUID incarnation, long last, Optional<Instant> lastAt) {}
