package io.corehub.storage;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a client reaches below a folder, read only. Transient faults are tried again. Thread-safe.
 */
public final class StoredFiles implements TargetFiles {

  private final DfsClient client;
  private final String root;
  private final Retries retries;
  private final Function<DfsException, String> advice;

  /**
   * The files below a folder.
   *
   * @param client reaches them; closed with the files
   * @param root path of the folder; empty for the client's own
   * @param retries tries again what fails in passing
   * @param advice what a person is told of a failure
   */
  public StoredFiles(
      DfsClient client, String root, Retries retries, Function<DfsException, String> advice) {
    this.client = client;
    this.root = root;
    this.retries = retries;
    this.advice = advice;
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException, InterruptedException {
    String path = below(directory);
    return call(
        path,
        () -> {
          List<TargetFile> entries = new ArrayList<>();
          client.list(
              path,
              false,
              entry ->
                  entries.add(
                      new TargetFile(
                          relative(entry.path()),
                          entry.directory(),
                          entry.length(),
                          entry.lastModified(),
                          entry.etag())));
          return entries;
        });
  }

  @Override
  public byte[] read(String path, long offset, int length)
      throws IOException, InterruptedException {
    String file = below(path);
    return call(file, () -> client.read(file, offset, Math.min(length, DfsClient.MAX_READ_BYTES)));
  }

  private String below(String path) {
    return path.isEmpty() ? root : root.isEmpty() ? path : root + "/" + path;
  }

  private String relative(String path) {
    return root.isEmpty() ? path : path.substring(root.length() + 1);
  }

  private <T> T call(String path, Retries.Attempt<T> attempt)
      throws IOException, InterruptedException {
    try {
      return retries.call(RetryPolicy.SET_UP, Retries.FailureListener.NONE, attempt);
    } catch (DfsException e) {
      if (e.kind() == Kind.NOT_FOUND && !path.equals(root)) {
        NoSuchFileException gone = new NoSuchFileException(path);
        gone.initCause(e);
        throw gone;
      }
      throw new IOException(advice.apply(e), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
