/**
 * Lands snapshots and changes in the landing zone of a mirrored database of Microsoft Fabric. The
 * provider is the only public class.
 */
@NullMarked
package io.corehub.fabric.mirroring;

import org.jspecify.annotations.NullMarked;
