/** What Debezium creates by class name, and so must be public. Not for anyone else. */
@NullMarked
package io.corehub.hub.debezium.internal;

import org.jspecify.annotations.NullMarked;
