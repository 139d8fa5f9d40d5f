package io.corehub.cycles;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** What a client reaches below a folder, for the verifier and the reference reader. */
final class StoredFiles implements TargetFiles {

  private final DfsClient client;
  private final String root;

  StoredFiles(DfsClient client, String root) {
    this.client = client;
    this.root = root;
  }

  private String absolute(String path) {
    return path.isEmpty() ? root : root.isEmpty() ? path : root + "/" + path;
  }

  private String relative(String path) {
    return root.isEmpty() ? path : path.substring(root.length() + 1);
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException, InterruptedException {
    List<TargetFile> files = new ArrayList<>();
    try {
      client.list(
          absolute(directory),
          false,
          entry ->
              files.add(
                  new TargetFile(
                      relative(entry.path()),
                      entry.directory(),
                      entry.length(),
                      entry.lastModified(),
                      "")));
    } catch (DfsException e) {
      throw told(directory, e);
    }
    return files;
  }

  @Override
  public byte[] read(String path, long offset, int length)
      throws IOException, InterruptedException {
    try {
      return client.read(absolute(path), offset, length);
    } catch (DfsException e) {
      throw told(path, e);
    }
  }

  private static IOException told(String path, DfsException e) {
    if (e.kind() == DfsException.Kind.NOT_FOUND) {
      return new NoSuchFileException(path);
    }
    return new IOException(path, e);
  }

  @Override
  public void close() {
    client.close();
  }
}
