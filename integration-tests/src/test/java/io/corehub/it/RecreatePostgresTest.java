package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL table whose column changed its type is re-created from a snapshot of the hub's. */
@Tag("full")
class RecreatePostgresTest {

  @TempDir Path directory;

  @Test
  void aTableWhoseTypeChangedIsLoadedAnewWhileTheOtherGoesOn() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start();
        Emulator emulator =
            Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      shop.execute("CREATE TABLE shop.prices (id INT PRIMARY KEY, v INT)");
      shop.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
      shop.execute("INSERT INTO shop.prices VALUES (1, 10), (2, 20)");
      String config =
          new Pipeline(directory, emulator)
              .source(shop.source())
              .set("recreateWaitSeconds", 60)
              .write();

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        shop.execute("INSERT INTO shop.prices VALUES (3, 30)");
        emulator.awaitMirrored(hub, "shop.prices", 3);
        shop.execute("ALTER TABLE shop.prices ALTER COLUMN v TYPE TEXT");
        shop.execute("INSERT INTO shop.prices VALUES (4, 'forty')");
        shop.execute("INSERT INTO shop.other VALUES (1)");
        hub.awaitErrors("Table shop.prices, column 'v' changed its type from INT32 to STRING");
        emulator.awaitMirrored(hub, "shop.other", 1);
        hub.stop();
      }
      shop.execute("UPDATE shop.prices SET v = 'ten' WHERE id = 1");

      Hub.run("recreate-table", config, "shop.prices").succeeded();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        emulator.awaitMirrored(hub, "shop.prices", 4);
        shop.execute("DELETE FROM shop.prices WHERE id = 2");
        emulator.awaitMirrored(hub, "shop.prices", 3);
        hub.stop();
      }

      assertThat(emulator.mirrored("shop.prices"))
          .containsExactlyInAnyOrder(
              "{\"id\":1,\"v\":\"ten\"}", "{\"id\":3,\"v\":\"30\"}", "{\"id\":4,\"v\":\"forty\"}");
      assertThat(emulator.mirrored("shop.other")).containsExactly("{\"id\":1}");
    }
  }
}
