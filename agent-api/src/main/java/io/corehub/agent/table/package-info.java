/** Tables as they cross the SPI: identity, schema, typed column vectors and batches of rows. */
@NullMarked
package io.corehub.agent.table;

import org.jspecify.annotations.NullMarked;
