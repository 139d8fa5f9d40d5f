/** Metrics, health and the status page over HTTP. */
@NullMarked
package io.corehub.hub.web;

import org.jspecify.annotations.NullMarked;
