/** The hub as a whole. */
@NullMarked
package io.corehub.hub;

import org.jspecify.annotations.NullMarked;
