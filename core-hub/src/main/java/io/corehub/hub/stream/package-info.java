/** The source that reads change-stream files. */
@NullMarked
package io.corehub.hub.stream;

import org.jspecify.annotations.NullMarked;
