package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Records requests and lets some go wrong. Thread-safe. */
final class Script implements Faults {

  private interface Action {
    void run(Request request) throws InterruptedException;
  }

  private static final class Rule {
    final Predicate<Request> which;
    final boolean after;
    final Action action;
    int times;

    Rule(Predicate<Request> which, boolean after, int times, Action action) {
      this.which = which;
      this.after = after;
      this.times = times;
      this.action = action;
    }
  }

  private final List<Request> requests = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private Runnable onSleep = () -> {};
  private int left = Integer.MAX_VALUE;

  /** What to do. */
  interface Deed {
    void run() throws InterruptedException;
  }

  synchronized Script fail(
      Operation operation, String part, boolean after, int times, Kind kind, boolean unknown) {
    rules.add(
        new Rule(
            request -> request.operation() == operation && request.path().contains(part),
            after,
            times,
            request -> {
              throw DfsException.of(kind, operation.name())
                  .outcomeUnknown(unknown)
                  .build(operation + " failed as the test wants");
            }));
    return this;
  }

  synchronized Script before(Operation operation, String part, Deed deed) {
    rules.add(
        new Rule(
            request -> request.operation() == operation && request.path().contains(part),
            false,
            1,
            request -> deed.run()));
    return this;
  }

  /** Does something before each of many requests. */
  synchronized Script always(Operation operation, String part, Deed deed) {
    rules.add(
        new Rule(
            request -> request.operation() == operation && request.path().contains(part),
            false,
            Integer.MAX_VALUE,
            request -> deed.run()));
    return this;
  }

  synchronized void onSleep(Runnable deed) {
    onSleep = deed;
  }

  void slept(Duration duration) {
    Runnable deed;
    synchronized (this) {
      deed = onSleep;
    }
    deed.run();
  }

  /** The process dies when it has sent this many more requests; the last one may have arrived. */
  synchronized void dieAfter(int count) {
    left = count;
  }

  synchronized void kill() {
    left = 0;
  }

  synchronized boolean dead() {
    return left <= 0;
  }

  synchronized List<String> take() {
    List<String> texts = new ArrayList<>();
    for (Request request : requests) {
      texts.add(request.operation() + " " + name(request.path()));
    }
    requests.clear();
    return texts;
  }

  private static String name(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return FileName.isTemporary(name) ? name.substring(0, 21) : name;
  }

  @Override
  public void before(Request request) throws InterruptedException {
    Rule rule;
    synchronized (this) {
      if (left <= 0) {
        throw DfsException.of(Kind.CLOSED, "test").build("the process is dead");
      }
      left--;
      requests.add(request);
      rule = matching(request, false);
    }
    if (rule != null) {
      rule.action.run(request);
    }
  }

  @Override
  public void after(Request request) throws InterruptedException {
    Rule rule;
    synchronized (this) {
      if (left <= 0) {
        throw DfsException.of(Kind.CLOSED, "test").build("the process died meanwhile");
      }
      rule = matching(request, true);
    }
    if (rule != null) {
      rule.action.run(request);
    }
  }

  private Rule matching(Request request, boolean after) {
    for (Rule rule : rules) {
      if (rule.times > 0 && rule.after == after && rule.which.test(request)) {
        rule.times--;
        return rule;
      }
    }
    return null;
  }
}
