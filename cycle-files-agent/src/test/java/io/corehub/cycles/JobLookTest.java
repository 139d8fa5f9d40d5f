package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStatus.State;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How the tables of a job stand for somebody who does not run it. */
class JobLookTest {

  private static Insert order(int id) {
    return new Insert(SourceRow.of(ORDERS, id, "NEW", "10.00"));
  }

  private static Insert customer(int id) {
    return new Insert(SourceRow.of(CUSTOMERS, id, "Ann"));
  }

  private static void apply(Job job, SourceCommit commit, long order) throws InterruptedException {
    job.apply(commit);
    job.agent.flush();
    job.awaitConfirmed(order);
  }

  private static Map<String, TableStatus> look(Job job, ResumePoint resume)
      throws InterruptedException {
    Map<String, TableStatus> found = new TreeMap<>();
    for (TableStatus status : job.create(job::client).look(resume)) {
      found.put(status.table().toString(), status);
    }
    return found;
  }

  private static List<String> paths(Job job) throws InterruptedException {
    List<String> paths = new ArrayList<>();
    job.client().list("Files", true, entry -> paths.add(entry.path()));
    return paths;
  }

  @Test
  void nothingStandsBeforeTheFirstCycle() throws InterruptedException {
    try (Job job = new Job()) {
      assertThat(look(job, ResumePoint.NONE)).isEmpty();
    }
  }

  @Test
  void eachTableIsToldWithItsLastCommitAndNothingIsTouched() throws InterruptedException {
    try (Job job = new Job()) {
      job.start(ORDERS, CUSTOMERS);
      apply(job, SourceCommit.at(101, order(1), customer(1)), 101);
      apply(job, SourceCommit.at(102, customer(2)), 102);
      List<String> before = paths(job);

      Map<String, TableStatus> found = look(job, job.listener.resumePoint());

      assertThat(found).containsOnlyKeys("sales.customers", "sales.orders");
      assertThat(found.get("sales.orders").state()).isEqualTo(State.CHANGES);
      assertThat(found.get("sales.orders").lastPosition()).contains(at(101));
      assertThat(found.get("sales.customers").lastPosition()).contains(at(102));
      assertThat(paths(job)).isEqualTo(before);
      // The run that is being looked at goes on.
      apply(job, SourceCommit.at(103, order(2)), 103);
    }
  }

  private static SourcePosition at(long order) {
    return new SourcePosition(SourceCommit.positionAt(order).timeline(), order, "");
  }

  @Test
  void aTableThatWasTakenOutIsStoppedAndSaysWhatToDo() throws InterruptedException {
    try (Job job = new Job()) {
      job.start(ORDERS, CUSTOMERS);
      apply(job, SourceCommit.at(101, order(1), customer(1)), 101);
      job.agent.removeTable(ORDERS.table());

      TableStatus status = look(job, job.listener.resumePoint()).get("sales.orders");

      assertThat(status.state()).isEqualTo(State.STOPPED);
      assertThat(status.problem()).get().asString().contains("sales.orders", "went on without it");
    }
  }

  @Test
  void whatARunWouldRefuseIsSaid() throws InterruptedException {
    try (Job job = new Job()) {
      job.start(ORDERS);
      apply(job, SourceCommit.at(101, order(1)), 101);
      job.settings.put("loadType", "COMBINED");

      assertThatThrownBy(() -> look(job, ResumePoint.NONE))
          .isInstanceOf(ActionRequiredException.class)
          .hasMessageContaining("loadType");
    }
  }
}
