package io.corehub.hub.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestRateTest {

  private long nanos;
  private final RequestRate rate = new RequestRate(200, 1_000, () -> nanos);

  private long admitted(int asked) {
    return IntStream.range(0, asked).filter(i -> rate.admits()).count();
  }

  @Test
  void admitsSomeAtOnceAndThenSoManyInASecond() {
    assertThat(admitted(5_000)).isEqualTo(1_000);
    nanos += 1_000_000_000;
    assertThat(admitted(5_000)).isEqualTo(200);
    nanos += 5_000_000;
    assertThat(admitted(10)).isEqualTo(1);
  }

  @Test
  void savesNoMoreThanWhatIsAdmittedAtOnce() {
    nanos += 3_600_000_000_000L;
    assertThat(admitted(5_000)).isEqualTo(1_000);
  }
}
