package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.AgentContext;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.Meters;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.TargetAgent;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.runtime.WorkerPools;
import io.corehub.storage.probe.Assumption;
import io.corehub.storage.probe.StorageProbe;
import io.corehub.testkit.RecordingListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The probes of a user's own landing zone: all hold where all is as it should be, each finds what
 * it is for and only that, and nothing stays behind.
 */
class ProbesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final InMemoryFileSystem fileSystem = new InMemoryFileSystem(Clock.systemUTC());
  private final Script script = new Script();
  private final List<ProbeFinding> findings = new ArrayList<>();
  private Function<DfsClient, DfsClient> storage = client -> client;
  private Optional<MemoryFabric> fabric = Optional.empty();
  private Map<String, String> settings = MemoryTarget.settings();
  private Consumer<ProbeFinding> listener = findings::add;

  /** Time passes only while somebody waits, and Fabric looks once in each wait. */
  private final class Waiting implements Retries.Time {
    private long nanos;

    @Override
    public synchronized long nanos() {
      return nanos;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      long now;
      synchronized (this) {
        nanos += duration.toNanos();
        now = nanos;
      }
      script.slept(duration);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (fabric.isPresent()) {
        fabric.get().look(now);
      }
    }
  }

  private void probe() throws InterruptedException {
    fileSystem.client().createDirectory(AgentRun.ROOT);
    try (TargetAgent agent =
        new MirroringAgent(
            AgentConfig.of(MirroringSettings.AGENT.parse(settings)),
            new AgentContext("shop", 0, "", "", new RecordingListener(), () -> NOW, Meters.NONE),
            new MirroringAgent.Outside(
                to -> storage.apply(fileSystem.client(script)),
                () -> new WorkerPools("test", 2),
                new Waiting(),
                new Random(1),
                UUID::randomUUID,
                1L << 30))) {
      agent.probe(PATIENCE, listener);
    }
  }

  private Set<String> probesWith(Severity severity) {
    return findings.stream()
        .filter(f -> f.severity() == severity)
        .map(ProbeFinding::probe)
        .collect(Collectors.toSet());
  }

  private ProbeFinding of(Assumption probe) {
    return findings.stream().filter(f -> f.probe().equals(probe.id())).findFirst().orElseThrow();
  }

  private List<String> left() throws InterruptedException {
    List<String> names = new ArrayList<>();
    fileSystem.client().list(AgentRun.ROOT, true, entry -> names.add(entry.path()));
    return names;
  }

  private static Set<String> ids(Collection<? extends Assumption> probes) {
    return probes.stream().map(Assumption::id).collect(Collectors.toSet());
  }

  private static List<Assumption> all() {
    List<Assumption> all = new ArrayList<>(List.of(StorageProbe.values()));
    all.addAll(List.of(FabricProbe.values()));
    return all;
  }

  @Test
  void allHoldWhereAllIsAsItShouldBe() throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of()));
    probe();
    assertThat(findings)
        .extracting(ProbeFinding::probe)
        .containsExactlyInAnyOrderElementsOf(ids(all()));
    assertThat(findings).allMatch(f -> f.severity() == Severity.OK, "OK");
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aStorageThatBreaksOnePromiseIsFound(LyingClient.Lie lie) throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of()));
    storage = honest -> new LyingClient(honest, lie);
    probe();
    Severity severity = lie.found.costsOnly() ? Severity.WARNING : Severity.ERROR;
    assertThat(findings.stream().filter(f -> f.severity() != Severity.OK))
        .as("%s", findings)
        .extracting(ProbeFinding::probe, ProbeFinding::severity)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(lie.found.id(), severity));
    assertThat(of(lie.found).message())
        .startsWith("does not hold here: " + lie.found.assumption() + ". Seen: ")
        .endsWith(lie.found.consequence());
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aFabricThatBreaksOnePromiseIsFound(MemoryFabric.Lie lie) throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of(lie)));
    probe();
    boolean costsOnly = lie.found.costsOnly();
    assertThat(probesWith(costsOnly ? Severity.WARNING : Severity.ERROR))
        .as("%s", findings)
        .contains(lie.found.id());
    assertThat(probesWith(Severity.ERROR)).as("%s", findings).hasSize(costsOnly ? 0 : 1);
    assertThat(of(lie.found).message())
        .startsWith("does not hold here: ")
        .endsWith(lie.found.consequence());
    assertThat(left()).isEmpty();
  }

  @Test
  void aTableThatFabricRefusesStandsInNoOthersWay() throws InterruptedException {
    fabric =
        Optional.of(
            new MemoryFabric(
                fileSystem,
                Set.of(
                    MemoryFabric.Lie.REFUSES_COLUMN_NAMES,
                    MemoryFabric.Lie.REFUSES_WIDE_TABLES,
                    MemoryFabric.Lie.REFUSES_NULL_KEYS)));
    probe();
    assertThat(probesWith(Severity.WARNING)).isEqualTo(ids(LimitProbes.ALL));
    assertThat(of(FabricProbe.TAKES_WIDE_TABLES).message()).contains("TooManyColumns");
    assertThat(probesWith(Severity.ERROR)).isEmpty();
    assertThat(left()).isEmpty();
  }

  @Test
  void whatTablesFabricTakesIsFoundThoughItDoesNotTakeTheFirst() throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of(MemoryFabric.Lie.REFUSES_ZERO_ROWS)));
    probe();
    assertThat(findings)
        .filteredOn(f -> f.severity() == Severity.OK)
        .extracting(ProbeFinding::probe)
        .containsAll(ids(LimitProbes.ALL));
  }

  @Test
  void everyProbeCanFail() {
    Set<Assumption> found = new HashSet<>();
    Arrays.stream(LyingClient.Lie.values()).map(lie -> lie.found).forEach(found::add);
    Arrays.stream(MemoryFabric.Lie.values()).map(lie -> lie.found).forEach(found::add);
    assertThat(found).containsExactlyInAnyOrderElementsOf(all());
  }

  @Test
  void aFabricThatDoesNothingDecidesNothing() throws InterruptedException {
    probe();
    assertThat(probesWith(Severity.WARNING)).isEqualTo(ids(FabricProbes.ALL));
    assertThat(of(FabricProbe.KEEPS_LAST_FILE).message())
        .contains("not decided whether Fabric leaves the last file in the folder")
        .contains("within 120 s");
    assertThat(probesWith(Severity.ERROR)).isEmpty();
    assertThat(left()).isEmpty();
  }

  @Test
  void aFabricThatTellsNoCountsDecidesWhatDoesNotNeedThem() throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of()).withoutCounts());
    probe();
    assertThat(probesWith(Severity.WARNING))
        .isEqualTo(ids(EnumSet.of(FabricProbe.SKIPS_UPLOADS, FabricProbe.READS_NUMBER_ONCE)));
    assertThat(probesWith(Severity.ERROR)).isEmpty();
  }

  @Test
  void whoMayNotWriteIsToldSoOnce() throws InterruptedException {
    script.fail(Operation.CREATE, "corehub_probe_", false, 99, Kind.FORBIDDEN, false);
    probe();
    assertThat(findings)
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.ERROR);
              assertThat(f.message()).contains("could not be tried").contains("as Contributor");
            });
  }

  @Test
  void aPassingFaultIsTriedAgain() throws InterruptedException {
    fabric = Optional.of(new MemoryFabric(fileSystem, Set.of()));
    for (Operation operation : Operation.values()) {
      script.fail(operation, "corehub_probe_", false, 1, Kind.THROTTLED, false);
      script.fail(operation, "corehub_probe_", true, 1, Kind.TIMEOUT, true);
    }
    probe();
    assertThat(findings).as("%s", findings).allMatch(f -> f.severity() == Severity.OK);
    assertThat(left()).isEmpty();
  }

  @Test
  void anInterruptedCheckTakesItsTableAway() throws InterruptedException {
    int[] waits = {0};
    script.onSleep(
        () -> {
          if (++waits[0] == 3) {
            Thread.currentThread().interrupt();
          }
        });
    assertThatThrownBy(this::probe).isInstanceOf(InterruptedException.class);
    assertThat(findings).isNotEmpty();
    assertThat(left()).isEmpty();
  }

  @Test
  void aCheckWhoseHostFailsTakesItsTableAway() throws InterruptedException {
    listener =
        finding -> {
          throw new IllegalStateException("standard output is gone");
        };
    assertThatThrownBy(this::probe).hasMessage("standard output is gone");
    assertThat(left()).isEmpty();
  }

  @Test
  void aTableThatCannotBeTakenAwayIsNamed() throws InterruptedException {
    script.fail(Operation.DELETE, "corehub_probe_", false, 9_999, Kind.FORBIDDEN, false);
    probe();
    List<String> named =
        findings.stream()
            .filter(f -> f.probe().isEmpty())
            .map(
                f -> {
                  assertThat(f.severity()).isEqualTo(Severity.ERROR);
                  assertThat(f.message()).contains(" could not be deleted. Delete it.");
                  return f.message().substring(0, f.message().indexOf(' '));
                })
            .toList();
    assertThat(named)
        .hasSize(4)
        .allMatch(path -> path.startsWith(AgentRun.ROOT + "/corehub_probe_20260301120000_"))
        .containsExactlyInAnyOrderElementsOf(
            left().stream().filter(path -> path.matches(AgentRun.ROOT + "/[^/]+")).toList());
  }

  @Test
  void whatKilledChecksLeftIsFoundByName() throws InterruptedException {
    DfsClient client = fileSystem.client();
    List<String> others =
        List.of("corehub_probe_20260301110100_0badcafe", "corehub_probe_mine", "Orders");
    String old = "corehub_probe_20260228110000_deadbeef";
    for (String folder : others) {
      client.create(AgentRun.ROOT + "/" + folder + "/00000000000000000001.parquet", true);
    }
    client.create(AgentRun.ROOT + "/" + old + "/_x.parquet", true);
    client.create(AgentRun.ROOT + "/corehub_probe_20260228110000_deadbeee", true);
    probe();
    assertThat(findings.stream().filter(f -> f.probe().isEmpty()))
        .satisfiesExactly(
            f ->
                assertThat(f.message())
                    .isEqualTo(
                        AgentRun.ROOT
                            + "/"
                            + old
                            + ", which a killed check left behind, was deleted"),
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.WARNING);
              assertThat(f.message())
                  .contains("/corehub_probe_20260301110100_0badcafe is of the probes");
            });
    List<PathEntry> there = new ArrayList<>();
    client.list(AgentRun.ROOT, false, there::add);
    List<String> kept = new ArrayList<>(others);
    kept.add("corehub_probe_20260228110000_deadbeee");
    assertThat(there).extracting(PathEntry::name).containsExactlyInAnyOrderElementsOf(kept);
  }

  @Test
  void theTableLiesWhereThePipelinesTablesDo() throws InterruptedException {
    settings = new HashMap<>(settings);
    settings.put("customPrefix", "sales.schema");
    List<String> written = new ArrayList<>();
    script.always(Operation.DELETE, "corehub_probe_", () -> written.addAll(left()));
    probe();
    assertThat(written).anyMatch(p -> p.startsWith(AgentRun.ROOT + "/sales.schema/corehub_probe_"));
    assertThat(left()).containsExactly(AgentRun.ROOT + "/sales.schema");
  }

  @Test
  void thePageNamesForEachAssumptionTheProbeThatWouldRefuteIt() throws Exception {
    Pattern row = Pattern.compile("\\| (.+) \\| (.+) \\| `([a-z-]+)` \\|");
    Map<String, String> onPage = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "design", "exactly-once.md"))) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        onPage.put(matcher.group(3), matcher.group(1).replace("`", ""));
      }
    }
    Map<String, String> inCode =
        all().stream().collect(Collectors.toMap(Assumption::id, Assumption::assumption));
    assertThat(onPage).isEqualTo(inCode);
  }
}
