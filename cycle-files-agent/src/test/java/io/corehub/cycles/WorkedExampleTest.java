package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ResumePoint;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The six commits of the worked example, at their times, lead to its files byte for byte. */
class WorkedExampleTest {

  private final Job job = new Job();
  private final List<String> renames = new CopyOnWriteArrayList<>();

  static SourceRow order(Object id, Object status, Object amount) {
    return SourceRow.of(ORDERS, id, status, amount);
  }

  static SourceRow customer(int id, String name) {
    return SourceRow.of(CUSTOMERS, id, name);
  }

  static SourceCommit[] commits() {
    return new SourceCommit[] {
      SourceCommit.at(101, new Insert(order(1, "NEW", "10.00")), new Insert(customer(7, "Ann"))),
      SourceCommit.at(102, new Update(order(1, "NEW", "10.00"), order(1, "PAID", "10.00"))),
      SourceCommit.at(
          103,
          new Insert(order(2, "NEW", "5.50")),
          new Update(customer(7, "Ann"), customer(7, ""))),
      SourceCommit.at(104, new Delete(order(2, "NEW", "5.50"))),
      SourceCommit.at(105),
      SourceCommit.at(106, new Insert(order(3, null, "1.00")))
    };
  }

  @Test
  void theSixCommitsLeadToTheFilesOfTheExample() throws InterruptedException {
    Faults log =
        new Faults() {
          @Override
          public void after(Request request) {
            if (request.operation() == Operation.RENAME) {
              renames.add(request.path().substring("Files/".length()));
            }
          }
        };
    try (job) {
      job.start(ResumePoint.NONE, log, ORDERS, CUSTOMERS);
      SourceCommit[] commits = commits();
      job.time.turnTo(at("10:00:05"));
      job.apply(commits[0]);
      job.time.turnTo(at("10:00:20"));
      job.apply(commits[1]);
      job.time.turnTo(at("10:00:40"));
      job.apply(commits[2]);
      job.awaitConfirmed(103);
      job.time.turnTo(at("10:00:41"));
      job.apply(commits[3]);
      job.time.turnTo(at("10:05:00"));
      job.awaitConfirmed(104);
      job.apply(commits[4]);
      job.awaitConfirmed(105);
      job.time.turnTo(at("10:06:00"));
      job.apply(commits[5]);
      job.time.turnTo(at("10:07:00"));
      job.awaitConfirmed(106);
    }

    String data = "sales_cdc/data/";
    assertThat(job.text(data + "customers/data/2026-11-29-10-00-05/customers_20261129100005.csv"))
        .isEqualTo(
            """
            "CDC_OPERATION_TYPE","CDC_SORTABLE_SEQUENCE","customer_id","name","customer_id_OLD","name_OLD"
            "I","00000000000000000101000000000002","7","Ann",,
            "U","00000000000000000103000000000002","7","","7","Ann"
            """);
    String ordersHeader =
        "\"CDC_OPERATION_TYPE\",\"CDC_SORTABLE_SEQUENCE\",\"order_id\",\"status\",\"amount\","
            + "\"order_id_OLD\",\"status_OLD\",\"amount_OLD\"\n";
    assertThat(job.text(data + "orders/data/2026-11-29-10-00-05/orders_20261129100005.csv"))
        .isEqualTo(
            ordersHeader
                + """
                "I","00000000000000000101000000000001","1","NEW","10.00",,,
                "U","00000000000000000102000000000001","1","PAID","10.00","1","NEW","10.00"
                "I","00000000000000000103000000000001","2","NEW","5.50",,,
                """);
    assertThat(job.text(data + "orders/data/2026-11-29-10-00-41/orders_20261129100041.csv"))
        .isEqualTo(
            ordersHeader
                + "\"D\",\"00000000000000000104000000000001\",\"2\",\"NEW\",\"5.50\",,,\n");
    assertThat(job.text(data + "orders/data/2026-11-29-10-06-00/orders_20261129100600.csv"))
        .isEqualTo(
            ordersHeader + "\"I\",\"00000000000000000106000000000001\",\"3\",,\"1.00\",,,\n");
    String contentsHeader =
        "\"table_name\",\"cycle_name\",\"cycle_path\",\"start_sequence\",\"end_sequence\","
            + "\"inserts\",\"updates\",\"deletes\",\"schema_version\",\"schema_path\"\n";
    assertThat(
            job.text(
                "sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv"))
        .isEqualTo(
            contentsHeader
                + """
                "customers","2026-11-29-10-00-05","sales_cdc/data/customers/data/2026-11-29-10-00-05","00000000000000000101000000000002","00000000000000000103000000000002","1","1","0","1","sales_cdc/data/customers/schema/V1/customers.schema"
                "orders","2026-11-29-10-00-05","sales_cdc/data/orders/data/2026-11-29-10-00-05","00000000000000000101000000000001","00000000000000000103000000000001","2","1","0","1","sales_cdc/data/orders/schema/V1/orders.schema"
                """);
    String completedHeader =
        "\"cycle_name\",\"start_time\",\"end_time\",\"current_sequence\",\"contents_path\","
            + "\"reason\"\n";
    assertThat(completed("2026-11-29-10-00-05", "20261129100005"))
        .isEqualTo(
            completedHeader
                + "\"2026-11-29-10-00-05\",\"2026-11-29T10:00:05.000Z\",\"2026-11-29T10:00:40.000Z\","
                + "\"00000000000000000103000000000002\","
                + "\"sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv\","
                + "\"NORMAL_COMMIT\"\n");
    assertThat(completed("2026-11-29-10-00-41", "20261129100041"))
        .isEqualTo(
            completedHeader
                + "\"2026-11-29-10-00-41\",\"2026-11-29T10:00:41.000Z\",\"2026-11-29T10:01:41.000Z\","
                + "\"00000000000000000104000000000001\","
                + "\"sales_cdc/cycle/contents/2026-11-29-10-00-41/Cycle-contents-20261129100041.csv\","
                + "\"NORMAL_EXPIRY\"\n");
    assertThat(completed("2026-11-29-10-06-00", "20261129100600"))
        .contains("\"2026-11-29T10:06:00.000Z\",\"2026-11-29T10:07:00.000Z\"", "NORMAL_EXPIRY");
    assertThat(job.consumed().cycles())
        .containsExactly("2026-11-29-10-00-05", "2026-11-29-10-00-41", "2026-11-29-10-06-00");
    assertThat(order()).isEqualTo(expectedOrder());
  }

  private String completed(String cycle, String digits) {
    return job.text("sales_cdc/cycle/completed/" + cycle + "/Cycle-" + digits + ".csv");
  }

  /** Names in the order they appeared, of the first cycle; data files may come in any order. */
  private List<String> order() {
    List<String> first =
        new ArrayList<>(renames.stream().filter(r -> !r.contains("_writer")).limit(7).toList());
    List<String> data = new ArrayList<>(first.subList(0, 4));
    int schema = data.indexOf("cdc/sales_cdc/data/orders/schema/V1/orders.schema");
    int file =
        data.indexOf(
            "cdc/sales_cdc/data/orders/data/2026-11-29-10-00-05/orders_20261129100005.csv");
    assertThat(schema).as("a schema stands there before its first file").isBetween(0, file - 1);
    data.sort(null);
    data.addAll(first.subList(4, 7));
    return data;
  }

  private static List<String> expectedOrder() {
    return List.of(
        "cdc/sales_cdc/data/customers/data/2026-11-29-10-00-05/customers_20261129100005.csv",
        "cdc/sales_cdc/data/customers/schema/V1/customers.schema",
        "cdc/sales_cdc/data/orders/data/2026-11-29-10-00-05/orders_20261129100005.csv",
        "cdc/sales_cdc/data/orders/schema/V1/orders.schema",
        "cdc/sales_cdc/cycle/contents/2026-11-29-10-00-05/_manifest-20261129100005.json",
        "cdc/sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv",
        "cdc/sales_cdc/cycle/completed/2026-11-29-10-00-05/Cycle-20261129100005.csv");
  }
}
