package io.corehub.verify;

import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.TargetVerifier;
import io.corehub.agent.verify.VerificationListener;
import io.corehub.agent.verify.VerificationListener.Progress;
import io.corehub.agent.verify.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Judges a landing zone of Open Mirroring by {@link Rule}s, whoever wrote it. Knows nothing of the
 * agent whose files it judges. Thread-safe.
 *
 * <p>Two tables are read at a time, one column chunk of each in memory.
 */
public final class LandingZoneVerifier implements TargetVerifier {
  private static final int TABLES_AT_A_TIME = 2;

  /** Creates the verifier; used by {@link java.util.ServiceLoader}. */
  public LandingZoneVerifier() {}

  @Override
  public String agentId() {
    return "fabric-open-mirroring";
  }

  /**
   * Judges a landing zone and returns what it finds.
   *
   * @param files the landing zone
   * @return every violation
   */
  public List<Violation> verify(TargetFiles files) throws IOException, InterruptedException {
    List<Violation> violations = new ArrayList<>();
    verify(files, violations::add);
    return violations;
  }

  @Override
  public void verify(TargetFiles files, VerificationListener listener)
      throws IOException, InterruptedException {
    LayoutLook layout = new LayoutLook(files);
    layout.root();
    layout.violations().forEach(listener::violated);
    Count count = new Count(layout.tables().size(), listener);
    ExecutorService threads =
        Executors.newFixedThreadPool(
            TABLES_AT_A_TIME,
            work -> {
              Thread thread = new Thread(work, "landing-zone-verifier");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<List<Violation>>> tables = new ArrayList<>();
      for (Map.Entry<String, TableName> table : layout.tables().entrySet()) {
        TableVerification verification =
            new TableVerification(files, table.getKey(), table.getValue(), count::judged);
        tables.add(threads.submit(verification::run));
      }
      for (Future<List<Violation>> table : tables) {
        List<Violation> violations = result(table);
        count.tell(violations);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Violation> result(Future<List<Violation>> table)
      throws IOException, InterruptedException {
    try {
      return table.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw new IOException(io.getMessage(), io);
      }
      throw new IllegalStateException("A table could not be judged", e.getCause());
    }
  }

  /** Counts, and lets the listener hear one thing at a time. */
  private static final class Count {
    private final int tables;
    private final VerificationListener listener;
    private int done;
    private long files;
    private long bytes;

    Count(int tables, VerificationListener listener) {
      this.tables = tables;
      this.listener = listener;
    }

    synchronized void judged(long length) {
      files++;
      bytes += length;
      listener.progress(new Progress(tables, done, files, bytes));
    }

    synchronized void tell(List<Violation> violations) {
      done++;
      violations.forEach(listener::violated);
      listener.progress(new Progress(tables, done, files, bytes));
    }
  }
}
