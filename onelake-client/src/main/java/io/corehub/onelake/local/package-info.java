/** A folder of this machine behind the same port as the real service. */
@NullMarked
package io.corehub.onelake.local;

import org.jspecify.annotations.NullMarked;
