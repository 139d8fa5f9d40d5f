package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.runtime.text.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what Fabric writes in {@code Files/Monitoring}. Pure.
 *
 * <p>The names of the fields follow two sources that differ: the files as Microsoft's samples show
 * them ({@code processedRowCount}, {@code lastSyncTimeUtc}) and the REST API ({@code
 * processedRows}, {@code lastSyncDateTime}). Both are read, in any case of letters, with the
 * metrics in an object of their own or beside the other fields. A field that is missing or makes no
 * sense is unknown.
 */
final class MonitoringText {

  private static final int LONGEST_ERROR = 500;
  private static final int LONGEST_NUMBER = 18;
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("['T'][' ']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private MonitoringText() {}

  /**
   * Reads {@code replicator.json}.
   *
   * @throws IllegalArgumentException saying why it cannot be read now
   */
  static ReplicatorReport replicator(byte[] content) {
    JsonNode json = Json.parse(content);
    if (!json.isObject()) {
      throw new IllegalArgumentException("it is not a JSON object");
    }
    return new ReplicatorReport(
        status(json),
        time(
            field(json, "lastHeartbeat", "heartbeat", "lastHeartbeatTimeUtc", "heartbeatTimeUtc")
                .or(() -> field(json, "lastHeartbeatDateTime", "lastHeartbeatUtc"))));
  }

  /**
   * Reads {@code tables.json}; entries without a table name are left out.
   *
   * @throws IllegalArgumentException saying why it cannot be read now
   */
  static List<TableReport> tables(byte[] content) {
    JsonNode json = Json.parse(content);
    JsonNode entries =
        json.isArray() ? json : field(json, "tables", "data").orElse(json.path("tables"));
    if (!entries.isArray()) {
      throw new IllegalArgumentException("it has no list of tables");
    }
    List<TableReport> tables = new ArrayList<>();
    for (JsonNode entry : entries) {
      String name = text(entry, "sourceTableName", "tableName");
      if (!name.isEmpty()) {
        tables.add(table(entry, name));
      }
    }
    return List.copyOf(tables);
  }

  private static TableReport table(JsonNode entry, String name) {
    JsonNode metrics = field(entry, "metrics").filter(JsonNode::isObject).orElse(entry);
    return new TableReport(
        text(entry, "sourceSchemaName", "schemaName"),
        name,
        status(entry),
        number(field(metrics, "processedRowCount", "processedRows")),
        number(field(metrics, "processedByte", "processedBytes")),
        time(field(metrics, "lastSourceCommitTimeUtc", "lastSourceCommitDateTime")),
        time(field(metrics, "lastSyncTimeUtc", "lastSyncDateTime")));
  }

  private static FabricStatus status(JsonNode json) {
    return new FabricStatus(
        Text.shown(text(json, "status", "state")),
        Text.shown(code(errorText(json, "errorCode", "code"))),
        Text.shown(errorText(json, "errorMessage", "message"), LONGEST_ERROR));
  }

  /** An error stands beside the status or, as in the REST API, in an object of its own. */
  private static String errorText(JsonNode json, String beside, String inside) {
    String flat = text(json, beside);
    return flat.isEmpty()
        ? field(json, "error").map(error -> text(error, beside, inside)).orElse("")
        : flat;
  }

  /** Zero is how some serializers write "no error". */
  private static String code(String text) {
    return text.equals("0") ? "" : text;
  }

  private static Optional<JsonNode> field(JsonNode json, String... names) {
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      for (String name : names) {
        if (field.getKey().equalsIgnoreCase(name) && !field.getValue().isNull()) {
          return Optional.of(field.getValue());
        }
      }
    }
    return Optional.empty();
  }

  private static String text(JsonNode json, String... names) {
    return field(json, names).filter(JsonNode::isValueNode).map(JsonNode::asText).orElse("");
  }

  private static OptionalLong number(Optional<JsonNode> value) {
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    String digits = value.get().asText();
    return digits.length() <= LONGEST_NUMBER
            && !digits.isEmpty()
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? OptionalLong.of(Long.parseLong(digits))
        : OptionalLong.empty();
  }

  /** A time, in UTC unless it says otherwise; the first year of all stands for none. */
  private static Optional<Instant> time(Optional<JsonNode> value) {
    if (value.isEmpty() || !value.get().isTextual()) {
      return Optional.empty();
    }
    try {
      TemporalAccessor parsed =
          TIME.parseBest(
              value.get().textValue().strip(), OffsetDateTime::from, LocalDateTime::from);
      Instant instant =
          parsed instanceof OffsetDateTime withOffset
              ? withOffset.toInstant()
              : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
      boolean set = instant.atOffset(ZoneOffset.UTC).getYear() > 1;
      return set ? Optional.of(instant) : Optional.empty();
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
