/**
 * What agents share on the way to a storage: files uploaded in blocks under a temporary name, the
 * port of a store that never replaces a file, and the settings of a connection. Knows no agent.
 */
@NullMarked
package io.corehub.storage;

import org.jspecify.annotations.NullMarked;
