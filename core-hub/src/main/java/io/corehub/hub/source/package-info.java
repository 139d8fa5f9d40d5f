/**
 * What a source of changes and the pipeline around it say to each other, and what sources share to
 * turn rows into column batches.
 */
@NullMarked
package io.corehub.hub.source;

import org.jspecify.annotations.NullMarked;
