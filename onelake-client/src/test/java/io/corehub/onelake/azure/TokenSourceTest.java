package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenSourceTest {
  private final Now now = new Now();
  private int signIns;
  private DfsException refusal;
  private final TokenSource tokens =
      new TokenSource(
          () -> {
            signIns++;
            if (refusal != null) {
              throw refusal;
            }
            return new TokenSource.Grant("T" + signIns, now.instant().plus(Duration.ofHours(1)));
          },
          now,
          now);

  /** Wall clock and monotonic time that move together. Confined to one caller at a time. */
  private static final class Now extends Clock implements Retries.Time {
    private Instant instant = Instant.parse("2026-03-01T10:00:00Z");

    void pass(Duration duration) {
      instant = instant.plus(duration);
    }

    @Override
    public Instant instant() {
      return instant;
    }

    @Override
    public long nanos() {
      return instant.toEpochMilli() * 1_000_000;
    }

    @Override
    public void sleep(Duration duration) {
      pass(duration);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void keepsATokenUntilFiveMinutesBeforeItsEnd() {
    assertThat(tokens.get().value()).isEqualTo("T1");
    now.pass(Duration.ofMinutes(54));
    assertThat(tokens.get().value()).isEqualTo("T1");
    now.pass(Duration.ofMinutes(1));
    assertThat(tokens.get().value()).isEqualTo("T2");
  }

  @Test
  void goesOnWithALivingTokenWhenRenewalFails() {
    tokens.get();
    now.pass(Duration.ofMinutes(56));
    refusal = DfsException.of(Kind.TRANSIENT, "sign-in").build("down");
    assertThat(tokens.get().value()).isEqualTo("T1");
    assertThat(tokens.get().value()).isEqualTo("T1");
    assertThat(signIns).isEqualTo(2);
    now.pass(Duration.ofSeconds(31));
    assertThat(tokens.get().value()).isEqualTo("T1");
    assertThat(signIns).isEqualTo(3);
    now.pass(Duration.ofMinutes(5));
    assertThat(failure(tokens::get).kind()).isEqualTo(Kind.TRANSIENT);
  }

  @Test
  void asksAtMostOncePerThirtySecondsWhileItFails() {
    refusal =
        DfsException.of(Kind.SIGN_IN_REFUSED, "sign-in")
            .errorCode("AADSTS7000222")
            .build("expired");
    for (int second = 0; second < 300; second++) {
      assertThat(failure(tokens::get).errorCode()).isEqualTo("AADSTS7000222");
      now.pass(Duration.ofSeconds(1));
    }
    assertThat(signIns).isEqualTo(10);
    refusal = null;
    now.pass(Duration.ofSeconds(30));
    assertThat(tokens.get().value()).isEqualTo("T11");
  }

  @Test
  void waitsAsLongAsEntraAsksFor() {
    refusal =
        DfsException.of(Kind.THROTTLED, "sign-in")
            .retryAfter(Duration.ofMinutes(2))
            .build("slow down");
    for (int second = 0; second < 240; second++) {
      assertThat(failure(tokens::get).retryAfter()).isPresent();
      now.pass(Duration.ofSeconds(1));
    }
    assertThat(signIns).isEqualTo(2);
  }

  @Test
  void asksSoonAgainWhenNobodyWasReached() {
    refusal = DfsException.of(Kind.HOST_UNREACHABLE, "sign-in").build("no route");
    failure(tokens::get);
    refusal = null;
    assertThat(failure(tokens::get).retryAfter()).contains(Duration.ofSeconds(1));
    now.pass(Duration.ofSeconds(1));
    assertThat(tokens.get().value()).isEqualTo("T2");
  }

  @Test
  void replacesATokenOnceForAllWhoWereRefusedWithIt() {
    TokenSource.Token refused = tokens.get();
    assertThat(tokens.afterRefusalOf(refused).orElseThrow().value()).isEqualTo("T2");
    assertThat(tokens.afterRefusalOf(refused).orElseThrow().value()).isEqualTo("T2");
    assertThat(signIns).isEqualTo(2);
  }

  @Test
  void replacesAReplacementOnlyIfItWasEverTakenOrIsOld() {
    TokenSource.Token second = tokens.afterRefusalOf(tokens.get()).orElseThrow();
    assertThat(tokens.afterRefusalOf(second)).isEmpty();
    second.accepted();
    TokenSource.Token third = tokens.afterRefusalOf(second).orElseThrow();
    assertThat(third.value()).isEqualTo("T3");
    assertThat(tokens.afterRefusalOf(third)).isEmpty();
    now.pass(Duration.ofSeconds(30));
    assertThat(tokens.afterRefusalOf(third).orElseThrow().value()).isEqualTo("T4");
  }

  @Test
  void letsOtherThreadsGoOnWhileOneRenews() throws Exception {
    CountDownLatch renewing = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    boolean[] slow = new boolean[1];
    TokenSource shared =
        new TokenSource(
            () -> {
              if (slow[0]) {
                renewing.countDown();
                try {
                  answer.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
              return new TokenSource.Grant("T", now.instant().plus(Duration.ofHours(1)));
            },
            now,
            now);
    TokenSource.Token old = shared.get();
    slow[0] = true;
    now.pass(Duration.ofMinutes(56));
    Thread renewer = new Thread(shared::get);
    renewer.start();
    assertThat(renewing.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(shared.get()).isSameAs(old);
    answer.countDown();
    renewer.join();
    assertThat(shared.get()).isNotSameAs(old);
  }

  @Test
  void showsNoTokenInAnyText() {
    assertThat(new TokenSource.Grant("SECRET", Instant.EPOCH).toString()).doesNotContain("SECRET");
    assertThat(tokens.get().toString()).doesNotContain("T1");
  }
}
