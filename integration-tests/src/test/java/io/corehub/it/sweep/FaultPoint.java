package io.corehub.it.sweep;

/**
 * One fault at one place.
 *
 * @param nth the request of this operation that meets it, counted from 1
 * @param lasting whether all later ones meet it as well
 * @param requestBytes size of that request's body in a run without faults
 */
record FaultPoint(
    Scenario scenario,
    String operation,
    InjectedFault fault,
    int nth,
    boolean lasting,
    long requestBytes) {

  String rule() {
    return fault.rule(operation, nth, lasting ? 1_000_000 : 1, requestBytes);
  }

  @Override
  public String toString() {
    return scenario + ": " + fault + " at " + operation + " " + nth + (lasting ? " and on" : "");
  }
}
