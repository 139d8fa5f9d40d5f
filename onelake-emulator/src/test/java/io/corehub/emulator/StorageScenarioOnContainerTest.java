package io.corehub.emulator;

import org.junit.jupiter.api.AfterAll;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The scenario on Microsoft's image of Azurite; skipped where no Docker runs. */
@Testcontainers(disabledWithoutDocker = true)
class StorageScenarioOnContainerTest extends StorageScenarioTest.Scenario {
  private static final String URL_PROPERTY = "corehub.azurite.url";
  private static final int BLOB_PORT = 10_000;

  @Container
  private static final GenericContainer<?> AZURITE =
      new GenericContainer<>("mcr.microsoft.com/azure-storage/azurite:3.35.0")
          .withCommand(
              "azurite-blob",
              "--blobHost",
              "0.0.0.0",
              "--blobPort",
              Integer.toString(BLOB_PORT),
              "--disableProductStyleUrl")
          .withExposedPorts(BLOB_PORT);

  StorageScenarioOnContainerTest() {
    super(StorageBackend.AZURITE);
  }

  @Override
  void prepare() {
    System.setProperty(
        URL_PROPERTY, "http://" + AZURITE.getHost() + ":" + AZURITE.getMappedPort(BLOB_PORT));
  }

  @AfterAll
  static void leaveTheContainer() {
    System.clearProperty(URL_PROPERTY);
  }
}
