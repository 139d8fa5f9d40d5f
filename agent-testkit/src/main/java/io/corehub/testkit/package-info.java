/**
 * What the tests of an agent are made of: the contract every agent must pass, seeded generators, a
 * recording listener, and a model of what source and target should hold.
 */
@NullMarked
package io.corehub.testkit;

import org.jspecify.annotations.NullMarked;
