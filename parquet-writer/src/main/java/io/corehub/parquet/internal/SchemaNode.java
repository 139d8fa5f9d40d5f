package io.corehub.parquet.internal;

import io.corehub.parquet.MalformedFooterException;
import io.corehub.parquet.ParquetType;
import java.util.Optional;

/**
 * A schema element of a file of any writer, in the numbers of the format; a number that is absent
 * is {@link #ABSENT}.
 */
record SchemaNode(
    String name, int physical, int length, int repetition, int children, Annotation annotation) {

  static final int ABSENT = -1;

  private static final int REQUIRED = 0;
  private static final int OPTIONAL = 1;
  private static final int REPEATED = 2;

  private static final String[] PHYSICAL_NAMES = {
    "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
  };

  static SchemaNode read(CompactReader in) throws MalformedFooterException {
    String name = null;
    int physical = ABSENT;
    int length = ABSENT;
    int repetition = ABSENT;
    int children = ABSENT;
    int converted = ABSENT;
    int scale = 0;
    int precision = 0;
    Annotation annotation = Annotation.NONE;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      switch (field) {
        case 1 -> physical = in.smallNumber();
        case 2 -> length = in.smallNumber();
        case 3 -> repetition = in.smallNumber();
        case 4 -> name = in.text();
        case 5 -> children = in.smallNumber();
        case 6 -> converted = in.smallNumber();
        case 7 -> scale = in.smallNumber();
        case 8 -> precision = in.smallNumber();
        case 10 -> annotation = Annotation.read(in);
        default -> in.skip();
      }
    }
    if (name == null) {
      throw new MalformedFooterException("The footer's schema has an element without a name");
    }
    if (annotation.equals(Annotation.NONE)) {
      annotation = Annotation.ofConverted(converted, precision, scale);
    }
    SchemaNode node = new SchemaNode(name, physical, length, repetition, children, annotation);
    node.check();
    return node;
  }

  private void check() throws MalformedFooterException {
    boolean leaf = physical != ABSENT;
    if (leaf ? physical < 0 || physical >= PHYSICAL_NAMES.length || children > 0 : children < 0) {
      throw new MalformedFooterException(
          "The footer's schema element '"
              + name
              + "' is neither a column nor a group: type "
              + physical
              + ", "
              + children
              + " children");
    }
    if (repetition < ABSENT || repetition > REPEATED) {
      throw new MalformedFooterException(
          "The footer's schema element '" + name + "' has the repetition " + repetition);
    }
  }

  boolean isLeaf() {
    return physical != ABSENT;
  }

  boolean isOptional() {
    return repetition == OPTIONAL;
  }

  boolean isRequired() {
    return repetition == ABSENT || repetition == REQUIRED;
  }

  /** The type, if we write such columns ourselves. */
  Optional<ParquetType> type() {
    return switch (PHYSICAL_NAMES[physical]) {
      case "BOOLEAN" -> unannotated(ParquetType.BOOLEAN);
      case "INT32" ->
          switch (annotation.kind()) {
            case NONE -> Optional.of(ParquetType.INT32);
            case INT ->
                annotation.equals(Annotation.INT32) ? Optional.of(ParquetType.INT32) : none();
            case DATE -> Optional.of(ParquetType.DATE);
            default -> none();
          };
      case "INT64" -> longType();
      case "FLOAT" -> unannotated(ParquetType.FLOAT);
      case "DOUBLE" -> unannotated(ParquetType.DOUBLE);
      case "BYTE_ARRAY" ->
          annotation.kind() == Annotation.Kind.STRING
              ? Optional.of(ParquetType.STRING)
              : unannotated(ParquetType.BINARY);
      case "FIXED_LEN_BYTE_ARRAY" -> decimalType();
      default -> none();
    };
  }

  private Optional<ParquetType> longType() {
    return switch (annotation.kind()) {
      case NONE -> Optional.of(ParquetType.INT64);
      case INT -> annotation.equals(Annotation.INT64) ? Optional.of(ParquetType.INT64) : none();
      case TIME ->
          annotation.isMicros()
              ? Optional.of(
                  annotation.utc() ? ParquetType.TIME_MICROS_UTC : ParquetType.TIME_MICROS)
              : none();
      case TIMESTAMP ->
          annotation.isMicros()
              ? Optional.of(
                  annotation.utc()
                      ? ParquetType.TIMESTAMP_MICROS_UTC
                      : ParquetType.TIMESTAMP_MICROS)
              : none();
      default -> none();
    };
  }

  private Optional<ParquetType> decimalType() {
    int precision = annotation.first();
    int scale = annotation.second();
    return annotation.kind() == Annotation.Kind.DECIMAL
            && precision >= 1
            && precision <= ParquetType.MAX_DECIMAL_PRECISION
            && scale >= 0
            && scale <= precision
            && length == PhysicalTypes.decimalLength(precision)
        ? Optional.of(ParquetType.decimal(precision, scale))
        : none();
  }

  private Optional<ParquetType> unannotated(ParquetType type) {
    return annotation.kind() == Annotation.Kind.NONE ? Optional.of(type) : none();
  }

  private static Optional<ParquetType> none() {
    return Optional.empty();
  }

  String description() {
    String text = PHYSICAL_NAMES[physical];
    if (length != ABSENT) {
      text += "(" + length + ")";
    }
    return annotation.kind() == Annotation.Kind.NONE ? text : text + " " + annotation;
  }
}
