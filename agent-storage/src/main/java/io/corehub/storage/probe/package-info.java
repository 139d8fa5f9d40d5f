/** Puts to the test in a user's own target what agents take for granted of it. */
@NullMarked
package io.corehub.storage.probe;

import org.jspecify.annotations.NullMarked;
