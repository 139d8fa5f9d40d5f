/** Judges a landing zone of Open Mirroring by Microsoft's contract. */
@NullMarked
package io.corehub.verify;

import org.jspecify.annotations.NullMarked;
