/** The HTTPS server: DFS and token endpoints, faults and their control. */
@NullMarked
package io.corehub.emulator.internal.server;

import org.jspecify.annotations.NullMarked;
