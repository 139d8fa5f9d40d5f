/**
 * How rows of the source become columns of data files, whatever their format: which type a column
 * has there, how its values go over exactly or are refused, and which cells the source delivered.
 */
@NullMarked
package io.corehub.runtime.rows;

import org.jspecify.annotations.NullMarked;
