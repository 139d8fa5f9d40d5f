/**
 * What agents that write files share: when a file is sealed, what memory it may hold, in which
 * order files are uploaded and published, and which commits are confirmed. Knows no target and no
 * file format. The only place inside an agent that starts threads.
 */
@NullMarked
package io.corehub.runtime;

import org.jspecify.annotations.NullMarked;
