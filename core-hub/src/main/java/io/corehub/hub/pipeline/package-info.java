/** Pipelines: a source, an agent, and everything between them. */
@NullMarked
package io.corehub.hub.pipeline;

import org.jspecify.annotations.NullMarked;
