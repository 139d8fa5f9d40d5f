/** Looking at what lies in a target, and judging it by the target's contract. */
@NullMarked
package io.corehub.agent.verify;

import org.jspecify.annotations.NullMarked;
