package io.corehub.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * CPU time and allocation of the calling thread over several runs of one thing, with a pause
 * between runs for its rivals. Confined to one thread.
 */
final class Meter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<Long> cpuNanos = new ArrayList<>();
  private final List<Long> allocatedBytes = new ArrayList<>();
  private long cpuInRun;
  private long allocatedInRun;
  private long cpuMark;
  private long allocatedMark;

  void resume() {
    allocatedMark = THREADS.getCurrentThreadAllocatedBytes();
    cpuMark = THREADS.getCurrentThreadCpuTime();
  }

  void pause() {
    cpuInRun += THREADS.getCurrentThreadCpuTime() - cpuMark;
    allocatedInRun += THREADS.getCurrentThreadAllocatedBytes() - allocatedMark;
  }

  /** Ends a run; one that only warmed up does not count. */
  void endRun(boolean counts) {
    if (counts) {
      cpuNanos.add(cpuInRun);
      allocatedBytes.add(allocatedInRun);
    }
    cpuInRun = 0;
    allocatedInRun = 0;
  }

  double medianCpuMillis() {
    return median(cpuNanos) / 1e6;
  }

  double medianAllocatedBytes() {
    return median(allocatedBytes);
  }

  private static double median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
  }
}
