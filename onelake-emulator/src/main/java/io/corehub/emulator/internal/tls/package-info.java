/** The emulator's own certificate authority. */
@NullMarked
package io.corehub.emulator.internal.tls;

import org.jspecify.annotations.NullMarked;
