package io.corehub.runtime.rows;

/** A cell cannot be written as its column asks. */
public final class RefusedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int row;

  /**
   * A refusal.
   *
   * @param row row index in the vectors that were read
   * @param message names the column, says what is wrong and what to change
   */
  public RefusedValueException(int row, String message) {
    super(message);
    this.row = row;
  }

  /**
   * The row.
   *
   * @return row index in the vectors that were read
   */
  public int row() {
    return row;
  }
}
