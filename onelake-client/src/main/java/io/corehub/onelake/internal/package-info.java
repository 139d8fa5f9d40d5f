/** Small things that the client's other packages share; not for other modules. */
@NullMarked
package io.corehub.onelake.internal;

import org.jspecify.annotations.NullMarked;
