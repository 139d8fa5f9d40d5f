/**
 * The few OneLake requests that file-writing agents need, sign-in to Microsoft Entra, and one
 * sentence of advice for every failure.
 *
 * <p>{@link io.corehub.onelake.DfsClient} is the port: single attempts with a closed set of
 * outcomes. {@link io.corehub.onelake.Retries} repeats what a caller says is repeatable. {@link
 * io.corehub.onelake.azure.AzureDfsClient} turns checked settings into a client. No type of the
 * underlying storage library appears in this package.
 */
@NullMarked
package io.corehub.onelake;

import org.jspecify.annotations.NullMarked;
