/** A forward proxy that stands between clients and the emulator. */
@NullMarked
package io.corehub.emulator.internal.proxy;

import org.jspecify.annotations.NullMarked;
