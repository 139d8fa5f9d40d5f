/** A file system in memory behind the same port as the real service. */
@NullMarked
package io.corehub.onelake.memory;

import org.jspecify.annotations.NullMarked;
