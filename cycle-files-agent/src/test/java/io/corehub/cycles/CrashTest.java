package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.cycles.CrashStory.Fault;
import io.corehub.cycles.CrashStory.Point;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The agent dies, or an answer is lost, at each request to a storage in memory, alone and in pairs.
 */
class CrashTest {

  @Test
  void everySingleFault() throws InterruptedException {
    int requests = story();
    assertThat(requests).isGreaterThan(30);
    for (int request = 1; request <= requests; request++) {
      for (Fault fault : Fault.values()) {
        story(new Point(request, fault));
      }
    }
  }

  @Test
  @Tag("full")
  void everyPairOfDeaths() throws InterruptedException {
    int requests = story();
    for (int first = 1; first <= requests; first++) {
      for (int second = first + 1; second <= first + requests; second++) {
        for (Fault one : List.of(Fault.DIES_BEFORE, Fault.DIES_AFTER)) {
          for (Fault other : List.of(Fault.DIES_BEFORE, Fault.DIES_AFTER)) {
            story(new Point(first, one), new Point(second, other));
          }
        }
      }
    }
  }

  private static int story(Point... points) throws InterruptedException {
    Job job = new Job();
    try {
      return new CrashStory(job, job.files::client, List.of(points)).run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("With " + List.of(points) + ": " + e.getMessage(), e);
    }
  }
}
