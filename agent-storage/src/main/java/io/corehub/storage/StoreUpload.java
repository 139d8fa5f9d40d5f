package io.corehub.storage;

import io.corehub.parquet.ByteSink;
import io.corehub.runtime.Publication;

/**
 * A file on its way to an {@link ObjectStore}: written as a {@link ByteSink} by one thread at a
 * time, then published as a {@link Publication}, whose failures are {@link StoreException}s.
 */
public interface StoreUpload extends ByteSink, Publication {

  /**
   * Where it is to appear.
   *
   * @return path in the store
   */
  String path();

  /**
   * Length of the file so far.
   *
   * @return bytes
   */
  long length();

  /**
   * Memory that is held beside the bytes on their way.
   *
   * @return bytes
   */
  long held();

  /**
   * Tells the hash of the complete file, before it is published: by it the file is known again when
   * the outcome of a request is not known.
   *
   * @param sha256 SHA-256 in 64 hexadecimal digits, lower case
   */
  void hashed(String sha256);
}
