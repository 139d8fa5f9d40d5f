/**
 * PostgreSQL as a source, read through Debezium's embedded engine; and the mapping from Connect
 * structs to column batches that any Debezium connector can share.
 */
@NullMarked
package io.corehub.hub.debezium;

import org.jspecify.annotations.NullMarked;
