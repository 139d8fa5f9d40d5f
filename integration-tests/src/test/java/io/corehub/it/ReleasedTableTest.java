package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that does not repeat what is confirmed: a table that the position went past under
 * {@code stoppedTablePolicy: release} is not continued with missing rows.
 */
class ReleasedTableTest {

  @TempDir Path directory;

  @Test
  void aReleasedTableIsLoadedAnewInsteadOfGoingOnWithAHole() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start(directory)) {
      shop.execute("CREATE TABLE shop.days (id INT PRIMARY KEY, d DATE)");
      shop.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
      shop.execute("INSERT INTO shop.days VALUES (1, '2026-01-01')");
      String config =
          shop.config(
              directory.resolve("hub.yaml"),
              "recreateWaitSeconds: 60",
              "stoppedTablePolicy: release");

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        shop.execute("INSERT INTO shop.days VALUES (2, '2026-01-02')");
        shop.awaitRows(hub, "shop.days", 2);
        shop.execute("INSERT INTO shop.days VALUES (3, 'infinity')");
        hub.awaitErrors("Table shop.days");
        shop.execute("INSERT INTO shop.days VALUES (4, '2026-01-04')");
        shop.execute("INSERT INTO shop.other VALUES (1)");
        shop.awaitRows(hub, "shop.other", 1);
        hub.stop();
      }
      shop.execute("UPDATE shop.days SET d = '2026-01-03' WHERE id = 3");

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        hub.awaitErrors("Table shop.days: it stopped, and the others go on without it");
        shop.execute("INSERT INTO shop.days VALUES (5, '2026-01-05')");
        shop.execute("INSERT INTO shop.other VALUES (2)");
        shop.awaitRows(hub, "shop.other", 2);
        hub.stop();
      }
      assertThat(shop.rows("shop.days")).hasSize(2);

      Hub.run("recreate-table", config, "shop.days").succeeded();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        shop.awaitRows(hub, "shop.days", 5);
        shop.execute("DELETE FROM shop.days WHERE id = 1");
        shop.awaitRows(hub, "shop.days", 4);
        hub.stop();
      }
      assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
    }
  }
}
