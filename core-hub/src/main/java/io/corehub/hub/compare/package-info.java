/**
 * Compares what a source holds with what its mirrored tables show: rows are counted and summed on
 * both sides, whatever their order.
 */
@NullMarked
package io.corehub.hub.compare;

import org.jspecify.annotations.NullMarked;
