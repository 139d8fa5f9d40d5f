/** Tables as a mirrored database would hold them. */
@NullMarked
package io.corehub.emulator.internal.replica;

import org.jspecify.annotations.NullMarked;
