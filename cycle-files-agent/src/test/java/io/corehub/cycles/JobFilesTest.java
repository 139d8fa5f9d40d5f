package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.CycleLayout.Choices;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreUpload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A start looks at a job's folders once, whatever is in them, and keeps what it must know. */
class JobFilesTest {

  private static final int TABLES = 20;
  private static final CycleLayout LAYOUT = CycleLayout.of(Choices.usual("job", DataFormat.CSV));
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

  private static CycleName cycle(int number) {
    return new CycleName(FIRST.plusSeconds(number * 60L));
  }

  /** The folder of a job that has run for long, told one entry after the other. */
  private static final class LongLived implements ObjectStore {
    private final int cycles;
    private int lists;
    private long told;
    private long kept;

    LongLived(int cycles) {
      this.cycles = cycles;
    }

    @Override
    public List<Entry> list(String folder, boolean recursive, Predicate<Entry> wanted) {
      lists++;
      List<Entry> kept = new ArrayList<>();
      Predicate<Entry> tell =
          entry -> {
            told++;
            return wanted.test(entry) && kept.add(entry);
          };
      for (int number = 0; number <= cycles; number++) {
        CycleName name = cycle(number);
        boolean complete = number < cycles;
        if (folder.equals(LAYOUT.completedRoot()) && complete) {
          tell(LAYOUT.completedFile(name), tell);
        } else if (folder.equals(LAYOUT.contentsRoot()) && complete) {
          tell(LAYOUT.contentsFile(name), tell);
          tell(LAYOUT.manifestFile(name), tell);
        } else if (folder.equals(LAYOUT.dataRoot())) {
          for (int table = 0; table < TABLES; table++) {
            tell(LAYOUT.dataFile(TableId.of("t" + table), name, 1), tell);
          }
        }
      }
      this.kept += kept.size();
      return kept;
    }

    private static void tell(String path, Predicate<Entry> tell) {
      tell.test(new Entry(path.substring(0, path.lastIndexOf('/')), true, 0, FIRST));
      tell.test(new Entry(path, false, 100, FIRST));
    }

    @Override
    public StoreUpload upload(String path, BlockUpload.StreamedBytes bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void publish(String path, byte[] content) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<byte[]> read(String path, int most) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String address(String path) {
      return path;
    }

    @Override
    public void close() {}
  }

  @Test
  void whatAStartKeepsDoesNotGrowWithTheCyclesThereAre() throws InterruptedException {
    LongLived few = new LongLived(3);
    JobFiles ofFew = JobFiles.look(few, LAYOUT);
    LongLived many = new LongLived(5_000);
    JobFiles ofMany = JobFiles.look(many, LAYOUT);

    assertThat(many.told).isGreaterThan(200_000);
    assertThat(many.lists).as("folders that are listed").isEqualTo(few.lists).isLessThan(6);
    assertThat(ofMany.last()).contains(cycle(4_999));
    assertThat(ofMany.newest()).contains(cycle(5_000));
    assertThat(ofMany.leftovers()).hasSameSizeAs(ofFew.leftovers()).hasSize(TABLES);
    assertThat(many.kept).as("entries kept of the lists").isEqualTo(few.kept);
    assertThat(ofMany.completedFile()).contains(LAYOUT.completedFile(cycle(4_999)));
    assertThat(ofMany.contentsFile()).contains(LAYOUT.contentsFile(cycle(4_999)));
    assertThat(ofMany.manifestFile()).contains(LAYOUT.manifestFile(cycle(4_999)));
  }
}
