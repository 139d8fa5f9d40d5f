/**
 * Typed column vectors become Parquet bytes; footers are read back. Knows no rules of any target.
 */
@NullMarked
package io.corehub.parquet;

import org.jspecify.annotations.NullMarked;
