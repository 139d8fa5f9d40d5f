/**
 * The demo: a real PostgreSQL with a small shop on it, a OneLake emulator, a hub between them, and
 * a comparison of both sides at the end.
 */
@NullMarked
package io.corehub.hub.demo;

import org.jspecify.annotations.NullMarked;
