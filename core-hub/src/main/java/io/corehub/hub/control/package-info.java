/** How a command reaches the hub that runs: a socket in its state directory. */
@NullMarked
package io.corehub.hub.control;

import org.jspecify.annotations.NullMarked;
