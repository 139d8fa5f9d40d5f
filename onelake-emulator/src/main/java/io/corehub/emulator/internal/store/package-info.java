/** Where the emulator keeps committed and uncommitted bytes. */
@NullMarked
package io.corehub.emulator.internal.store;

import org.jspecify.annotations.NullMarked;
