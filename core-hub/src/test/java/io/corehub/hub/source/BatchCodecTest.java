package io.corehub.hub.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BatchCodecTest {

  private final BatchCodec codec = new BatchCodec();

  private byte[] written() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    codec.write(CommitSpoolTest.batch(2), new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private String read(byte[] bytes) throws IOException {
    return CommitSpoolTest.text(codec.read(stream(bytes)));
  }

  private static DataInputStream stream(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  @Test
  void readsBackWhatItWrote() throws Exception {
    assertThat(read(written())).isEqualTo(CommitSpoolTest.text(CommitSpoolTest.batch(2)));
  }

  @Test
  void bytesCutShortAnywhereAreAnError() throws Exception {
    byte[] whole = written();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatExceptionOfType(IOException.class)
          .as("%d of %d bytes", length, whole.length)
          .isThrownBy(() -> read(cut))
          .withMessage("it ends inside a batch");
    }
  }

  /** Another value in a cell is not noticed; whatever is noticed is one kind of error. */
  @Test
  void otherBytesAreReadOrRefusedButNothingElse() throws Exception {
    byte[] whole = written();
    int refused = 0;
    for (int at = 0; at < whole.length; at++) {
      for (int flip : new int[] {0x01, 0x10, 0x7F, 0x80, 0xFF}) {
        byte[] other = whole.clone();
        other[at] ^= (byte) flip;
        try {
          assertThat(codec.read(stream(other))).isNotNull();
        } catch (IOException e) {
          assertThat(e).hasMessageStartingWith("it ");
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }
}
