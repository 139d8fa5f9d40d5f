package io.corehub.hub.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every type of column, read by a snapshot and through the log. */
class PostgresTypesTest {

  private static final String COLUMNS =
      "id int primary key, si smallint not null default 7, bi bigint, r real, d double precision,"
          + " n numeric(18,4), nv numeric, big numeric(50,10), m money, b boolean, t text default"
          + " 'dflt', v varchar(20), c char(5), by bytea, bt bit(3), b1 bit(1), dt date, tm time,"
          + " tm3 time(3), tz timetz, ts timestamp, ts3 timestamp(3), tstz timestamptz, iv interval,"
          + " j json, jb jsonb, u uuid, x xml, e types.mood, ia int[], ta text[], na numeric[], da"
          + " date[], p point, inet inet, rng int4range, hs hstore, cx citext";

  private static final String FULL =
      "32767, 9223372036854775807, 1.5, 'NaN', 12345678901234.5678, 1.50, 0.0000000001, 12.34,"
          + " true, E'a\"\\\\\\nß', 'v', 'ab', '\\x00ff', B'101', B'1', '2024-02-29',"
          + " '23:59:59.123456', '12:00:00.123', '23:59:59.123456+05:30', '2024-02-29"
          + " 12:34:56.123456', '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.123456+02', '1 year 2"
          + " mons 3 days 04:05:06.789', '{\"a\": 1}', '{\"b\": [1, 2]}',"
          + " '123e4567-e89b-12d3-a456-426614174000', '<a/>', 'ok', '{1,NULL,3}',"
          + " '{\"x\",NULL,\"y,z\"}', '{1.5,2}', '{2024-02-29}', '(1,2)', '10.0.0.1/8', '[1,5)',"
          + " 'k=>1, j=>NULL', 'CaSe'";

  private static final String EXPECTED =
      "{b=true, b1=true, bi=9223372036854775807, big=0.0000000001, bt=101, by=AP8=, c=ab   ,"
          + " cx=CaSe, d=NaN, da=[\"2024-02-29\"], dt=2024-02-29, e=ok,"
          + " hs={\"j\":null,\"k\":\"1\"}, ia=[1,null,3], id=101, inet=10.0.0.1/8,"
          + " iv=P1Y2M3DT4H5M6.789S, j={\"a\": 1}, jb={\"b\": [1, 2]}, m=12.34,"
          + " n=12345678901234.5678, na=[1.5,2], nv=1.5,"
          + " p={\"x\":1.0,\"y\":2.0,\"wkb\":\"AQEAAAAAAAAAAADwPwAAAAAAAABA\",\"srid\":null},"
          + " r=1.5, rng=[1,5), si=32767, t=a\"\\\nß, ta=[\"x\",null,\"y,z\"],"
          + " tm=23:59:59.123456, tm3=12:00:00.123, ts=2024-02-29T12:34:56.123456,"
          + " ts3=2024-02-29T12:34:56.789, tstz=2024-02-29T10:34:56.123456, tz=18:29:59.123456,"
          + " u=123e4567-e89b-12d3-a456-426614174000, v=v, x=<a/>}";

  @Test
  void looksTheSameInSnapshotAndLog(@TempDir Path spools) throws Exception {
    try (PostgresUnderTest postgres = new PostgresUnderTest(spools)) {
      postgres.sql(
          "CREATE EXTENSION hstore",
          "CREATE EXTENSION citext",
          "CREATE SCHEMA types",
          "CREATE TYPE types.mood AS ENUM ('ok', 'sad')",
          "CREATE TABLE types.every (" + COLUMNS + ")",
          "INSERT INTO types.every VALUES (1, " + FULL + ")",
          "INSERT INTO types.every (id, t) VALUES (2, NULL)",
          "INSERT INTO types.every (id, dt, ts, tstz, tm) VALUES (3, 'infinity', 'infinity',"
              + " 'infinity', '24:00')",
          "INSERT INTO types.every (id, dt, ts, ts3, tstz) VALUES (4, '-infinity', '-infinity',"
              + " 'infinity', '-infinity')",
          "INSERT INTO types.every (id, dt, ts, tstz) VALUES (5, '0044-03-15 BC', '0044-03-15 BC',"
              + " '0044-03-15 00:00:00+00 BC')",
          "INSERT INTO types.every (id, dt, ts) VALUES (6, '5874897-12-31', '20000-01-01')");
      RecordingSink sink = new RecordingSink();
      TableId table = TableId.of("types", "every");
      try (var running = postgres.start(postgres.settings("types"), sink, 1 << 20)) {
        sink.await("snapshot", s -> s.snapshotFinished(table));
        postgres.sql(
            "CREATE TEMP TABLE copy AS SELECT * FROM types.every; UPDATE copy SET id = id + 100;"
                + " INSERT INTO types.every SELECT * FROM copy");
        sink.await(
            "the rows come through the log", s -> s.rows(table).size() == 12 || running.ended());
      }
      List<String> rows = sink.rows(table);
      assertThat(rows).hasSize(12);
      assertThat(withSmallIds(rows, "id=10")).isEqualTo(withSmallIds(rows, "id="));
      assertThat(rows).contains(EXPECTED);
    }
  }

  /** Rows whose id has one digit behind a prefix, with that digit alone as the id. */
  private static List<String> withSmallIds(List<String> rows, String prefix) {
    return rows.stream()
        .filter(row -> row.matches("(?s).* " + prefix + "\\d,.*"))
        .map(row -> row.replaceFirst(" " + prefix, " id="))
        .sorted()
        .toList();
  }
}
