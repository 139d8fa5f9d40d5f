/** The client of the real service, over Microsoft's own storage and identity libraries. */
@NullMarked
package io.corehub.onelake.azure;

import org.jspecify.annotations.NullMarked;
