package io.corehub.agent.verify;

/** Is told what a {@link TargetVerifier} finds. Called by one thread at a time; must be quick. */
public interface VerificationListener {

  /**
   * How far a verification has come.
   *
   * @param tables tables found
   * @param tablesDone tables that are judged
   * @param files data files that are judged
   * @param bytes length of these files
   */
  record Progress(int tables, int tablesDone, long files, long bytes) {}

  /**
   * A rule is violated. Those of one table come together.
   *
   * @param violation which, where and how
   */
  void violated(Violation violation);

  /**
   * Another file was judged.
   *
   * @param progress how far it is
   */
  default void progress(Progress progress) {}
}
