/** The configuration file: reading it, checking it, and what it says. */
@NullMarked
package io.corehub.hub.config;

import org.jspecify.annotations.NullMarked;
