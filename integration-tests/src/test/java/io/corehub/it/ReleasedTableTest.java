package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that does not repeat what is confirmed: a table that the position went past under
 * {@code stoppedTablePolicy: release} is not continued with missing rows.
 */
@Tag("full")
class ReleasedTableTest {

  @TempDir Path directory;

  @Test
  void aReleasedTableIsLoadedAnewInsteadOfGoingOnWithAHole() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start();
        Emulator emulator =
            Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      shop.execute("CREATE TABLE shop.days (id INT PRIMARY KEY, d DATE)");
      shop.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
      shop.execute("INSERT INTO shop.days VALUES (1, '2026-01-01')");
      String config =
          new Pipeline(directory, emulator)
              .source(shop.source())
              .set("recreateWaitSeconds", 60)
              .set("stoppedTablePolicy", "release")
              .write();

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        shop.execute("INSERT INTO shop.days VALUES (2, '2026-01-02')");
        emulator.awaitMirrored(hub, "shop.days", 2);
        shop.execute("INSERT INTO shop.days VALUES (3, 'infinity')");
        hub.awaitErrors("Table shop.days");
        shop.execute("INSERT INTO shop.days VALUES (4, '2026-01-04')");
        shop.execute("INSERT INTO shop.other VALUES (1)");
        emulator.awaitMirrored(hub, "shop.other", 1);
        hub.stop();
      }
      shop.execute("UPDATE shop.days SET d = '2026-01-03' WHERE id = 3");

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        hub.awaitErrors("Table shop.days: it stopped, and the others go on without it");
        shop.execute("INSERT INTO shop.days VALUES (5, '2026-01-05')");
        shop.execute("INSERT INTO shop.other VALUES (2)");
        emulator.awaitMirrored(hub, "shop.other", 2);
        hub.stop();
      }
      assertThat(emulator.mirrored("shop.days")).hasSize(2);

      Hub.run("recreate-table", config, "shop.days").succeeded();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        emulator.awaitMirrored(hub, "shop.days", 5);
        shop.execute("DELETE FROM shop.days WHERE id = 1");
        emulator.awaitMirrored(hub, "shop.days", 4);
        hub.stop();
      }
      assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
    }
  }
}
