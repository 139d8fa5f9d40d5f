package io.corehub.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** Says in a few words why text is no JSON. Stateless. */
final class JsonTrouble {

  private JsonTrouble() {}

  static String of(IOException trouble) {
    return trouble instanceof JsonProcessingException json
        ? json.getOriginalMessage()
        : String.valueOf(trouble.getMessage());
  }
}
