/**
 * Lands snapshots and changes as data files in cycle directories, each cycle made visible by its
 * completed file. The provider is the only public class.
 */
@NullMarked
package io.corehub.cycles;

import org.jspecify.annotations.NullMarked;
