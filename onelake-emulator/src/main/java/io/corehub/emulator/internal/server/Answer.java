package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.emulator.internal.store.ReadableFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** What goes back to the client. Confined to one caller at a time; closed after it was sent. */
final class Answer implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private interface Body extends Closeable {
    void writeTo(OutputStream out) throws IOException;
  }

  private static final Body NONE =
      new Body() {
        @Override
        public void writeTo(OutputStream out) {}

        @Override
        public void close() {}
      };

  private final int status;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Body body;
  private final long bodyLength;

  private Answer(int status, Body body, long bodyLength) {
    this.status = status;
    this.body = body;
    this.bodyLength = bodyLength;
  }

  static Answer empty(int status) {
    return new Answer(status, NONE, 0);
  }

  static Answer bytes(int status, String contentType, byte[] content) {
    Body body =
        new Body() {
          @Override
          public void writeTo(OutputStream out) throws IOException {
            out.write(content);
          }

          @Override
          public void close() {}
        };
    return new Answer(status, body, content.length).with("Content-Type", contentType);
  }

  static Answer json(int status, Object value) {
    try {
      return bytes(status, "application/json;charset=utf-8", JSON.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value, e);
    }
  }

  /** An error as the DFS endpoint words it. */
  static Answer dfsError(int status, String code, String message) {
    return json(status, Map.of("error", Map.of("code", code, "message", message)))
        .with("x-ms-error-code", code);
  }

  /** A part of a file; the answer closes the file. */
  static Answer range(int status, ReadableFile file, long from, long length) {
    Body body =
        new Body() {
          @Override
          public void writeTo(OutputStream out) throws IOException {
            byte[] buffer = new byte[(int) Math.max(1, Math.min(length, 64 * 1024))];
            long done = 0;
            while (done < length) {
              int part = (int) Math.min(buffer.length, length - done);
              file.readFully(from + done, buffer, 0, part);
              out.write(buffer, 0, part);
              done += part;
            }
          }

          @Override
          public void close() throws IOException {
            file.close();
          }
        };
    return new Answer(status, body, length);
  }

  Answer with(String name, String value) {
    headers.put(name, value);
    return this;
  }

  Answer without(String name) {
    headers.remove(name);
    return this;
  }

  int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }

  long bodyLength() {
    return bodyLength;
  }

  void writeBody(OutputStream out) throws IOException {
    body.writeTo(out);
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
