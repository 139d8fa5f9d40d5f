package io.corehub.hub.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.HandedOver;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.table.TableId;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command and a hub that runs, over the socket in the state directory. */
@Timeout(60)
class ControlTest {

  private static final Successor CONNECT = new Successor("connect", Optional.empty());

  @TempDir Path directory;
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  private ControlServer server;

  private void start(ControlHandler handler) {
    server = ControlServer.start(directory, handler);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private List<HandedOver> note(String pipeline, Successor to) {
    asked.add(pipeline + " to " + to.pipeline() + to.begin().map(p -> " from " + p).orElse(""));
    return List.of(
        new HandedOver(TableId.parse("a\\.b.c\"d"), new SourcePosition("t", -1, ""), true));
  }

  private String raw(String request) throws Exception {
    try (SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(ControlSocket.in(directory)))) {
      ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return ControlSocket.receive(channel, 1000);
    }
  }

  @Test
  void whatIsAskedArrivesAndTheAnswerReturns() {
    start(this::note);
    assertThat(ControlClient.reaches(directory)).isTrue();
    assertThat(ControlClient.handOver(directory, "shop \"1\"\n", CONNECT))
        .isEqualTo(note("again", CONNECT));
    ControlClient.handOver(
        directory, "shop", new Successor("é", Optional.of(new SourcePosition("u", 7, ""))));
    server.close();
    assertThat(asked)
        .containsExactly("shop \"1\"\n to connect", "again to connect", "shop to é from 7");
    assertThat(ControlClient.reaches(directory)).isFalse();
    assertThatThrownBy(() -> ControlClient.handOver(directory, "shop", CONNECT))
        .isInstanceOf(ControlException.class)
        .hasMessageContainingAll("did not answer at " + directory, "call it again");
  }

  @Test
  void aRefusalKeepsItsMessage() {
    start(
        (pipeline, to) -> {
          throw new ActionRequiredException(ErrorCode.CONFLICT, "Table a is not whole.");
        });
    assertThatThrownBy(() -> ControlClient.handOver(directory, "shop", CONNECT))
        .isInstanceOf(ControlException.class)
        .hasMessage("Table a is not whole.");
  }

  @Test
  void anUnexpectedErrorIsToldAndTheNextCommandIsServed() {
    start(
        (pipeline, to) -> {
          if (pipeline.equals("bad")) {
            throw new AssertionError("odd");
          }
          return note(pipeline, to);
        });
    assertThatThrownBy(() -> ControlClient.handOver(directory, "bad", CONNECT))
        .hasMessageContainingAll("Unexpected error in the running hub", "odd", "report");
    assertThat(ControlClient.handOver(directory, "good", CONNECT)).hasSize(1);
  }

  @Test
  void whatIsNoRequestIsRefused() throws Exception {
    start(this::note);
    assertThat(raw("GET / HTTP/1.1\r\n")).contains("is not JSON");
    assertThat(raw("{\"do\":\"dance\"}\n")).contains("does not know this command");
    assertThat(raw("{\"do\":\"hand over\"}\n")).contains("has no 'pipeline'");
    assertThat(raw("{\"do\":\"hand over\",\"pipeline\":\"p\",\"to\":\" \"}\n"))
        .contains("The id of the pipeline that goes on is empty");
    assertThat(
            raw(
                "{\"do\":\"hand over\",\"pipeline\":\"p\",\"to\":\"q\",\"timeline\":\"t\",\"from\":\"x\"}\n"))
        .contains("'x' is no position");
    assertThatThrownBy(() -> raw("x".repeat(100_000))).isInstanceOf(java.io.IOException.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void onlyTheHubsOwnUserMayAsk() throws Exception {
    start(this::note);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(ControlSocket.in(directory))))
        .isEqualTo("rw-------");
  }

  @Test
  void whoCannotBeServedIsToldAndNotLeftWaiting() throws Exception {
    CountDownLatch four = new CountDownLatch(4);
    CountDownLatch done = new CountDownLatch(1);
    start(
        (pipeline, to) -> {
          four.countDown();
          done.await();
          return List.of();
        });
    List<Thread> commands = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread command = new Thread(() -> ControlClient.handOver(directory, "shop", CONNECT));
      command.start();
      commands.add(command);
    }
    four.await();
    assertThatThrownBy(() -> ControlClient.handOver(directory, "shop", CONNECT))
        .isInstanceOf(ControlException.class)
        .hasMessageContaining("call it again");
    done.countDown();
    for (Thread command : commands) {
      command.join();
    }
  }

  @Test
  void theSocketOfAKilledHubIsReplaced() throws Exception {
    Files.writeString(ControlSocket.in(directory), "left behind");
    start(this::note);
    assertThat(ControlClient.handOver(directory, "shop", CONNECT)).hasSize(1);
  }

  @Test
  void aPathTooLongForASocketLeavesTheHubWithoutOne() throws Exception {
    Path deep = Files.createDirectories(directory.resolve("x".repeat(100)));
    server = ControlServer.start(deep, this::note);
    assertThat(ControlClient.reaches(deep)).isFalse();
  }

  @Test
  void theEndBreaksOffWhatIsUnderWayAndWaitsForNobodyWhoIsSilent() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    start(
        (pipeline, to) -> {
          begun.countDown();
          never.await();
          return List.of();
        });
    List<String> refused = Collections.synchronizedList(new ArrayList<>());
    Thread command =
        new Thread(
            () -> {
              try {
                ControlClient.handOver(directory, "shop", CONNECT);
              } catch (ControlException e) {
                refused.add(e.getMessage());
              }
            });
    command.start();
    begun.await();
    try (SocketChannel silent =
        SocketChannel.open(UnixDomainSocketAddress.of(ControlSocket.in(directory)))) {
      assertThat(silent.isConnected()).isTrue();
      long before = System.nanoTime();
      server.close();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(7));
    }
    command.join();
    assertThat(refused).singleElement().asString().contains("stopped meanwhile", "again");
  }
}
