/** What a host and those who watch its pipelines say to each other. */
@NullMarked
package io.corehub.agent.observe;

import org.jspecify.annotations.NullMarked;
