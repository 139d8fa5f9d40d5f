/**
 * Reads data files in cycle directories as a consumer should, and judges them by what the layout
 * promises, whoever wrote them. Knows nothing of the agent that writes such files.
 */
@NullMarked
package io.corehub.cyclereader;

import org.jspecify.annotations.NullMarked;
