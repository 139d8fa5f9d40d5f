package io.corehub.parquet.internal;

import io.corehub.parquet.MalformedFooterException;

/**
 * The logical type of a column of any writer.
 *
 * @param kind which
 * @param first precision of a DECIMAL, bits of an INT, number of the unit of a TIME or TIMESTAMP
 * @param second scale of a DECIMAL
 * @param utc whether an INT is signed; whether a TIME or TIMESTAMP is adjusted to UTC
 */
record Annotation(Kind kind, int first, int second, boolean utc) {

  enum Kind {
    NONE,
    STRING,
    ENUM,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    INT,
    OTHER
  }

  static final Annotation NONE = new Annotation(Kind.NONE, 0, 0, false);
  static final Annotation INT32 = new Annotation(Kind.INT, 32, 0, true);
  static final Annotation INT64 = new Annotation(Kind.INT, 64, 0, true);

  private static final int MILLIS = 1;
  private static final int MICROS = 2;
  private static final int NANOS = 3;

  boolean isMicros() {
    return first == MICROS;
  }

  /** Reads the union of logical types: the struct of its one field. */
  static Annotation read(CompactReader in) throws MalformedFooterException {
    in.struct();
    Annotation annotation = NONE;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      Kind kind =
          switch (field) {
            case 1 -> Kind.STRING;
            case 4 -> Kind.ENUM;
            case 5 -> Kind.DECIMAL;
            case 6 -> Kind.DATE;
            case 7 -> Kind.TIME;
            case 8 -> Kind.TIMESTAMP;
            case 10 -> Kind.INT;
            default -> Kind.OTHER;
          };
      annotation = readParameters(in, kind);
    }
    return annotation;
  }

  private static Annotation readParameters(CompactReader in, Kind kind)
      throws MalformedFooterException {
    in.struct();
    int first = 0;
    int second = 0;
    boolean utc = false;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      switch (kind) {
        case DECIMAL -> {
          // The format names the scale first.
          if (field == 1) {
            second = in.smallNumber();
          } else {
            first = in.smallNumber();
          }
        }
        case INT -> {
          if (field == 1) {
            first = in.smallNumber();
          } else {
            utc = in.bool();
          }
        }
        case TIME, TIMESTAMP -> {
          if (field == 1) {
            utc = in.bool();
          } else {
            first = readUnit(in);
          }
        }
        case NONE, STRING, ENUM, DATE, OTHER -> in.skip();
      }
    }
    return new Annotation(kind, first, second, utc);
  }

  private static int readUnit(CompactReader in) throws MalformedFooterException {
    in.struct();
    int unit = 0;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      unit = field;
      in.skip();
    }
    return unit;
  }

  /** The same of the older annotation, {@link SchemaNode#ABSENT} for none. */
  static Annotation ofConverted(int converted, int precision, int scale) {
    return switch (converted) {
      case SchemaNode.ABSENT -> NONE;
      case 0 -> new Annotation(Kind.STRING, 0, 0, false);
      case 4 -> new Annotation(Kind.ENUM, 0, 0, false);
      case 5 -> new Annotation(Kind.DECIMAL, precision, scale, false);
      case 6 -> new Annotation(Kind.DATE, 0, 0, false);
      case 7 -> new Annotation(Kind.TIME, MILLIS, 0, true);
      case 8 -> new Annotation(Kind.TIME, MICROS, 0, true);
      case 9 -> new Annotation(Kind.TIMESTAMP, MILLIS, 0, true);
      case 10 -> new Annotation(Kind.TIMESTAMP, MICROS, 0, true);
      case 11, 12, 13, 14 -> new Annotation(Kind.INT, 8 << (converted - 11), 0, false);
      case 15, 16, 17, 18 -> new Annotation(Kind.INT, 8 << (converted - 15), 0, true);
      default -> new Annotation(Kind.OTHER, 0, 0, false);
    };
  }

  @Override
  public String toString() {
    return switch (kind) {
      case NONE, STRING, ENUM, DATE -> kind.name();
      case OTHER -> "with another annotation";
      case DECIMAL -> "DECIMAL(" + first + "," + second + ")";
      case INT -> (utc ? "INT(" : "UINT(") + first + ")";
      case TIME, TIMESTAMP -> kind + "(" + unit() + "," + (utc ? "UTC" : "local") + ")";
    };
  }

  private String unit() {
    return switch (first) {
      case MILLIS -> "MILLIS";
      case MICROS -> "MICROS";
      case NANOS -> "NANOS";
      default -> "unit " + first;
    };
  }
}
