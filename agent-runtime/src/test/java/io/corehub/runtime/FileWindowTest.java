package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FileWindowTest {

  private final ManualTimer timer = new ManualTimer();
  private final FileWindow window =
      new FileWindow(new FileWindow.Limits(Duration.ofSeconds(1), 100, 1000), timer);

  @Test
  void itsAgeCountsFromTheFirstRow() {
    timer.pass(Duration.ofSeconds(5));
    window.add(1, 1);
    timer.pass(Duration.ofMillis(900));
    window.add(1, 1);
    assertThat(window.remaining()).isEqualTo(Duration.ofMillis(100));
    timer.pass(Duration.ofMillis(100));
    assertThat(window.remaining()).isZero();
  }

  @Test
  void roomForBytesIsUpToTheLimit() {
    assertThat(window.roomForBytes(100)).isEqualTo(10);
    window.add(40, 950);
    assertThat(window.roomForBytes(1)).isEqualTo(50);
    assertThat(window.roomForBytes(100)).isZero();
    window.add(1, 100);
    assertThat(window.roomForBytes(1)).isZero();
  }

  @Test
  void anEmptyWindowTakesARowHoweverLarge() {
    assertThat(window.roomForBytes(1_000_000)).isEqualTo(1);
  }

  @Test
  void sealingStartsAnew() {
    window.add(5, 5);
    window.seal();
    assertThat(window.isOpen()).isFalse();
    assertThat(window.rows()).isZero();
    assertThat(window.remaining()).isEqualTo(Duration.ofSeconds(1));
  }
}
