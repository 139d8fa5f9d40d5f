/** What a hub and a target agent say to each other. */
@NullMarked
package io.corehub.agent;

import org.jspecify.annotations.NullMarked;
