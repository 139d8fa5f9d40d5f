package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.onelake.DfsException;
import java.util.Optional;

/** Tells Fabric once which partner and source fill the mirrored database. Stateless. */
final class PartnerEvents {

  private static final String PARTNER = "MOLO17";
  private static final String SOURCE_TYPE = "Gluesync";

  private PartnerEvents() {}

  /**
   * Writes the file if there is none.
   *
   * @param databaseType what the changes come from; empty if unknown
   * @param databaseVersion its version; empty if unknown
   * @return why it could not be written; empty if it is there
   */
  static Optional<String> write(LandingZone zone, String databaseType, String databaseVersion)
      throws InterruptedException {
    String file = zone.root() + "/" + FileName.PARTNER_EVENTS;
    try {
      zone.atSetUp(
          () -> {
            if (zone.client().head(file).isEmpty()) {
              TableFolder.publishWhole(
                  zone,
                  zone.root(),
                  FileName.PARTNER_EVENTS,
                  Json.bytes(content(databaseType, databaseVersion)));
            }
            return file;
          });
      return Optional.empty();
    } catch (DfsException e) {
      return Optional.of(
          file + " could not be written, and replication goes on without it: " + zone.advice(e));
    }
  }

  private static ObjectNode content(String databaseType, String databaseVersion) {
    ObjectNode json = Json.object().put("partnerName", PARTNER);
    ObjectNode source = json.putObject("sourceInfo").put("sourceType", SOURCE_TYPE);
    if (!databaseType.isEmpty()) {
      ObjectNode more = source.putObject("additionalInformation").put("databaseType", databaseType);
      if (!databaseVersion.isEmpty()) {
        more.put("databaseVersion", databaseVersion);
      }
    }
    return json;
  }
}
