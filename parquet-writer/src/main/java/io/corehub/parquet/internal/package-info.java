/** Encoders, page compression and the Thrift forms of headers and footers. */
@NullMarked
package io.corehub.parquet.internal;

import org.jspecify.annotations.NullMarked;
