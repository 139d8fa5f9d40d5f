package io.corehub.cycles;

import io.corehub.runtime.rows.TypeRules;

/**
 * Which columns data files have beside those of the table, and how values are written. Immutable.
 *
 * @param prefix what the names of metadata columns begin with
 * @param oldSuffix what the names of columns of old values end with
 * @param operationTime whether there is a column for the time of the commit
 * @param operationOwner whether there is one for the user who committed
 * @param transactionId whether there is one for the source's name of the transaction
 * @param beforeImages whether every column has one for its old value; otherwise only those of the
 *     key do
 * @param types how values without an exact counterpart are written
 */
record ColumnChoices(
    String prefix,
    String oldSuffix,
    boolean operationTime,
    boolean operationOwner,
    boolean transactionId,
    boolean beforeImages,
    TypeRules types) {

  /** The defaults. */
  static final ColumnChoices USUAL =
      new ColumnChoices("CDC_", "_OLD", false, false, false, true, TypeRules.DEFAULTS);

  /** Whether a column tells something of the commit. */
  boolean ofCommits() {
    return operationTime || operationOwner || transactionId;
  }

  String operationTypeName() {
    return prefix + "OPERATION_TYPE";
  }

  String sequenceName() {
    return prefix + "SORTABLE_SEQUENCE";
  }

  String operationTimeName() {
    return prefix + "OPERATION_TIME";
  }

  String operationOwnerName() {
    return prefix + "OPERATION_OWNER";
  }

  String transactionIdName() {
    return prefix + "TRANSACTION_ID";
  }
}
