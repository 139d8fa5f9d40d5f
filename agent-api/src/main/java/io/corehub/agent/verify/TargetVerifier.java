package io.corehub.agent.verify;

import java.io.IOException;

/**
 * Judges what lies in a target by the contract of its reader, whoever wrote it. Found by {@link
 * java.util.ServiceLoader}. Thread-safe.
 */
public interface TargetVerifier {

  /**
   * Whose targets it judges.
   *
   * @return the id of an agent
   */
  String agentId();

  /**
   * Judges everything that lies there. Only reads.
   *
   * @param files the target
   * @param listener is told every violation, in an order that depends on the files alone
   * @throws IOException when the target cannot be read
   * @throws InterruptedException when the thread was interrupted
   */
  void verify(TargetFiles files, VerificationListener listener)
      throws IOException, InterruptedException;
}
