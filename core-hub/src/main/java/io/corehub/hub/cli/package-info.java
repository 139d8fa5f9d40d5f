/** The command line. */
@NullMarked
package io.corehub.hub.cli;

import org.jspecify.annotations.NullMarked;
