/** Names and values of the source in messages, and compared as targets compare them. */
@NullMarked
package io.corehub.runtime.text;

import org.jspecify.annotations.NullMarked;
