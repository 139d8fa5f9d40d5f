/** OneLake, Entra and a Fabric replicator on the loopback interface, for tests and demos. */
@NullMarked
package io.corehub.emulator;

import org.jspecify.annotations.NullMarked;
