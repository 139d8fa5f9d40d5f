/** Measures the writer, alone and against AvroParquetWriter. */
@NullMarked
package io.corehub.benchmarks;

import org.jspecify.annotations.NullMarked;
