package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.corehub.onelake.internal.LogText;
import java.io.IOException;

/**
 * What an error answer of OneLake says: the {@code x-ms-error-code} header, or the body {@code
 * {"error":{"code","message"}}}. A body of any other kind, XML among them, is not looked into.
 * Immutable.
 */
record ErrorBody(String code, String message) {
  private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");

  static ErrorBody of(BufferedAnswer answer) {
    String header = Failures.header(answer, ERROR_CODE);
    ErrorBody body = parse(answer.body());
    String code = header.isEmpty() ? body.code() : header;
    return new ErrorBody(LogText.safe(code), LogText.safe(firstLine(body.message())));
  }

  private static ErrorBody parse(byte[] json) {
    String code = "";
    String message = "";
    if (json.length == 0 || json[0] != '{') {
      return new ErrorBody(code, message);
    }
    try (JsonReader reader = JsonProviders.createReader(json)) {
      reader.nextToken();
      while (reader.nextToken() != JsonToken.END_OBJECT) {
        String field = reader.getFieldName();
        JsonToken token = reader.nextToken();
        if (field.equals("error") && token == JsonToken.START_OBJECT) {
          while (reader.nextToken() != JsonToken.END_OBJECT) {
            String inner = reader.getFieldName();
            JsonToken value = reader.nextToken();
            if (inner.equals("code") && value == JsonToken.STRING) {
              code = reader.getString();
            } else if (inner.equals("message") && value == JsonToken.STRING) {
              message = reader.getString();
            } else {
              reader.skipChildren();
            }
          }
        } else {
          reader.skipChildren();
        }
      }
    } catch (IOException | RuntimeException e) {
      // Not the documented form; the status and headers say what there is to say.
      return new ErrorBody(code, message);
    }
    return new ErrorBody(code, message);
  }

  /** The service appends request id and time on lines of their own. */
  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
