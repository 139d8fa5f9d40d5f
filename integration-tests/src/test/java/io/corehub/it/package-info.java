/**
 * The whole product, driven from outside: the packaged hub as a process, over its own command line.
 */
@NullMarked
package io.corehub.it;

import org.jspecify.annotations.NullMarked;
