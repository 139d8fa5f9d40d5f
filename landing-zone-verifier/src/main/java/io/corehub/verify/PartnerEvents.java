package io.corehub.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;

/** Judges {@code _partnerEvents.json}. Stateless. */
final class PartnerEvents {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_BYTES = 1 << 20;

  private PartnerEvents() {}

  static void judge(TargetFiles files, TargetFile file, Findings findings)
      throws IOException, InterruptedException {
    byte[] content = files.read(file.path(), 0, MAX_BYTES);
    String problem = "";
    try {
      JsonNode json = JSON.readTree(content);
      if (json.path("partnerName").asText("").isBlank()) {
        problem = "it names no partnerName";
      } else if (json.path("sourceInfo").path("sourceType").asText("").isBlank()) {
        problem = "it names no sourceInfo.sourceType";
      }
    } catch (IOException e) {
      problem = "it is not JSON: " + JsonTrouble.of(e);
    }
    if (!problem.isEmpty()) {
      findings.add(
          Rule.PARTNER_SHAPE,
          file.path(),
          "Fabric cannot tell who fills the database: "
              + problem
              + ". Correct or remove the file.");
    }
  }

  static void elsewhere(TargetFile file, Findings findings) {
    findings.add(
        Rule.PARTNER_PLACE,
        file.path(),
        "Fabric looks for it at the root of the landing zone only. Move it there.");
  }
}
