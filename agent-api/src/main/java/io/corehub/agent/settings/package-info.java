/**
 * Settings that describe themselves: descriptors, validation that finds every problem, typed
 * access.
 */
@NullMarked
package io.corehub.agent.settings;

import org.jspecify.annotations.NullMarked;
