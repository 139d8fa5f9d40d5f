/** What the hub remembers between two runs. */
@NullMarked
package io.corehub.hub.state;

import org.jspecify.annotations.NullMarked;
