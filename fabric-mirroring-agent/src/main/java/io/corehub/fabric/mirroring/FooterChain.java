package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsClient;
import io.corehub.parquet.FooterReader;
import io.corehub.parquet.FooterReading;
import io.corehub.parquet.MalformedFooterException;
import io.corehub.parquet.ParquetFooter;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.text.Text;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The end of a published file: what it says of itself, and its columns. Immutable.
 *
 * @param chain what it says of itself
 * @param columns its columns with their types, without the marker
 */
record FooterChain(ChainEntry chain, Map<String, ParquetType> columns) {

  private static final int FIRST_READ = 64 << 10;
  private static final int LONGEST_REASON = 500;

  /** Thrown for a file that this agent did not write, with the reason. */
  static final class ForeignFileException extends Exception {
    private static final long serialVersionUID = 1L;

    ForeignFileException(String message, Throwable cause) {
      super(message, cause);
    }

    ForeignFileException(String message) {
      super(message);
    }
  }

  /**
   * Reads the end of a file: one request unless the footer is large.
   *
   * @param path the file
   * @param length its length
   * @throws ForeignFileException if it is not a file of this agent
   */
  static FooterChain read(DfsClient client, String path, long length)
      throws InterruptedException, ForeignFileException {
    try {
      return of(footer(client, path, length));
    } catch (MalformedFooterException e) {
      throw new ForeignFileException("it is not a whole Parquet file: " + why(e), e);
    } catch (ChainEntry.MalformedChainException e) {
      throw new ForeignFileException("its entry " + ChainEntry.KEY + " is unusable: " + why(e), e);
    }
  }

  /** The message may repeat names out of a file that anybody wrote. */
  private static String why(Exception e) {
    return Text.shown(String.valueOf(e.getMessage()), LONGEST_REASON);
  }

  private static ParquetFooter footer(DfsClient client, String path, long length)
      throws InterruptedException, MalformedFooterException {
    int wanted = (int) Math.min(length, FIRST_READ);
    while (true) {
      byte[] tail = client.read(path, length - wanted, wanted);
      FooterReading reading = FooterReader.read(tail, length);
      if (reading instanceof FooterReading.Complete complete) {
        return complete.footer();
      }
      int needed = ((FooterReading.Incomplete) reading).tailBytes();
      if (needed <= wanted) {
        throw new MalformedFooterException("the file changed while it was read");
      }
      wanted = needed;
    }
  }

  private static FooterChain of(ParquetFooter footer)
      throws ForeignFileException, ChainEntry.MalformedChainException {
    String entry = footer.keyValues().get(ChainEntry.KEY);
    if (entry == null) {
      throw new ForeignFileException("its footer has no entry " + ChainEntry.KEY);
    }
    Map<String, ParquetType> columns = new LinkedHashMap<>();
    for (ParquetFooter.Column column : footer.columns()) {
      if (column.type().isEmpty()) {
        throw new ForeignFileException(
            "its column '" + Text.shown(column.path()) + "' is " + column.description());
      }
      if (!column.path().equals(FileSchema.MARKER)) {
        columns.put(column.path(), column.type().get());
      }
    }
    return new FooterChain(ChainEntry.parse(entry), columns);
  }
}
