package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentContext;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.Meters;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.TargetAgent;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries;
import io.corehub.onelake.local.LocalDfsClient;
import io.corehub.runtime.WorkerPools;
import io.corehub.storage.probe.StorageProbe;
import io.corehub.testkit.RecordingListener;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probes of a local folder; those of a Lakehouse are held by the contract of agents. */
class StorageProbesTest {

  @TempDir Path directory;
  private final List<ProbeFinding> findings = new ArrayList<>();

  private void probe(UnaryOperator<DfsClient> storage) throws InterruptedException {
    Map<String, String> settings = Map.of("storageUrl", "file://" + directory);
    try (TargetAgent agent =
        new CycleFilesAgent(
            CycleConfigReader.read(CycleSettings.AGENT.parse(settings), "sales", Map.of()),
            new AgentContext(
                "sales", 0, "", "", new RecordingListener(), InstantSource.system(), Meters.NONE),
            new CycleFilesAgent.Outside(
                () -> storage.apply(new LocalDfsClient(directory)),
                () -> new WorkerPools("test", 2),
                Retries.Time.SYSTEM,
                new Random(1),
                UUID::randomUUID,
                1L << 30))) {
      agent.probe(Duration.ZERO, findings::add);
    }
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aFolderOfThisMachineKeepsWhatAJobReliesOn() throws Exception {
    Files.createDirectory(directory.resolve("sales_cdc"));
    probe(client -> client);
    assertThat(findings)
        .extracting(ProbeFinding::probe)
        .containsExactlyInAnyOrderElementsOf(
            new StoragePlace.Folder(directory)
                .assumptions().stream().map(StorageProbe::id).toList());
    assertThat(findings).as("%s", findings).allMatch(f -> f.severity() == Severity.OK);
    assertThat(left()).containsExactly("sales_cdc");
  }

  @Test
  void aFolderWhoseRenameReplacesIsFound() throws Exception {
    probe(StorageProbesTest::replacing);
    assertThat(findings.stream().filter(f -> f.severity() == Severity.ERROR))
        .as("%s", findings)
        .extracting(ProbeFinding::probe)
        .containsExactly(StorageProbe.RENAME_KEEPS_FILE.id());
    assertThat(left()).isEmpty();
  }

  @Test
  void aFolderThatCannotBeWrittenIsOneFinding() throws Exception {
    probe(
        client ->
            with(
                client,
                "create",
                arguments -> {
                  throw DfsException.of(DfsException.Kind.FORBIDDEN, "create").build("no right");
                }));
    assertThat(findings)
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.probe()).isEqualTo(StorageProbe.FOLDER_WITH_FILE.id());
              assertThat(f.severity()).isEqualTo(Severity.ERROR);
              assertThat(f.message()).contains("could not be tried", "Give this process the right");
            });
  }

  /** As a rename of POSIX is. */
  private static DfsClient replacing(DfsClient honest) {
    return with(
        honest,
        "renameIfAbsent",
        arguments -> {
          if (honest.head((String) arguments[0]).isPresent()
              && honest.head((String) arguments[1]).isPresent()) {
            honest.delete((String) arguments[1], false);
          }
          return honest.renameIfAbsent((String) arguments[0], (String) arguments[1]);
        });
  }

  private interface Otherwise {
    Object answer(Object[] arguments) throws InterruptedException;
  }

  private static DfsClient with(DfsClient honest, String method, Otherwise otherwise) {
    return (DfsClient)
        Proxy.newProxyInstance(
            DfsClient.class.getClassLoader(),
            new Class<?>[] {DfsClient.class},
            (proxy, called, arguments) -> {
              try {
                return called.getName().equals(method)
                    ? otherwise.answer(arguments)
                    : called.invoke(honest, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
