/** The real agent against the emulator in one process, with a fault at every request it sends. */
@NullMarked
package io.corehub.it.sweep;

import org.jspecify.annotations.NullMarked;
