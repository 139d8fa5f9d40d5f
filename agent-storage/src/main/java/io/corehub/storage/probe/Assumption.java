package io.corehub.storage.probe;

/**
 * Something that an agent takes for granted of its target, and what follows where it does not hold.
 * Immutable.
 */
public interface Assumption {

  /**
   * The name of the probe that would refute it: stable, for scripts and pages.
   *
   * @return lower-case words with dashes between them
   */
  String id();

  /**
   * What is taken for granted.
   *
   * @return the end of a sentence, without full stop
   */
  String assumption();

  /**
   * What it means for a user that it does not hold.
   *
   * @return sentences
   */
  String consequence();

  /**
   * Whether nothing is at risk when it does not hold, or nothing but tables that show it by
   * standing still.
   *
   * @return false if rows may be lost or doubled, or nothing lands
   */
  boolean costsOnly();
}
