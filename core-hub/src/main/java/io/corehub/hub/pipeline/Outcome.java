package io.corehub.hub.pipeline;

/** How a pipeline ended. */
public enum Outcome {
  /** Its finite source ended and everything is confirmed. */
  DONE,
  /** It was asked to stop. */
  STOPPED,
  /** A person must change something: the pipeline or one of its tables stopped. */
  ACTION_REQUIRED,
  /** A defect. */
  UNEXPECTED
}
