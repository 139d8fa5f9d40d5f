package io.corehub.onelake;

import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries.FailureListener;
import java.util.List;
import java.util.Optional;

/**
 * Looks once whether a connection works: signs in, gets a token and asks for the properties of the
 * folder the URL names. It never touches the root of a workspace or item, which OneLake refuses,
 * and writes nothing. Thread-safe.
 */
public final class SetupCheck {
  private final OneLakeConnection connection;
  private final Retries retries;
  private final RetryPolicy policy;

  /** A check that tries transient faults for 60 seconds, and nothing else again. */
  public SetupCheck(OneLakeConnection connection, Retries retries) {
    this(connection, retries, RetryPolicy.SET_UP);
  }

  /** A check with a policy of its own. */
  public SetupCheck(OneLakeConnection connection, Retries retries, RetryPolicy policy) {
    this.connection = connection;
    this.retries = retries;
    this.policy = policy;
  }

  /**
   * Runs the check.
   *
   * @param client of the same connection
   * @param listener told of each attempt that is repeated
   * @return the findings in the order they were made; all passed, or the last one did not
   */
  public List<Finding> run(DfsClient client, FailureListener listener) throws InterruptedException {
    PathProperties folder;
    try {
      folder = look(client, listener);
    } catch (DfsException e) {
      Finding failure = new Finding(false, Advice.of(connection).of(e));
      return e.operation().equals("sign-in") ? List.of(failure) : List.of(signedIn(), failure);
    }
    return List.of(
        signedIn(),
        folder.directory()
            ? new Finding(true, connection.url() + " exists")
            : new Finding(false, notAFolder()));
  }

  /**
   * Signs in and looks at what the URL names.
   *
   * @throws DfsException when that fails, or nothing is there
   */
  public PathProperties look(DfsClient client, FailureListener listener)
      throws InterruptedException {
    return retries.call(policy, listener, SetupCheck::passes, () -> lookOnce(client));
  }

  private PathProperties lookOnce(DfsClient client) throws InterruptedException {
    String path = connection.url().path();
    DfsException failure;
    try {
      Optional<PathProperties> found = client.head(path);
      if (found.isPresent()) {
        return found.get();
      }
      failure = DfsException.of(Kind.NOT_FOUND, "head").status(404).build(path + " is not there");
    } catch (DfsException e) {
      if (e.kind() != Kind.BAD_REQUEST) {
        throw e;
      }
      failure = e;
    }
    // The answer to a HEAD has no body that could say why, a paused capacity for one.
    client.list(path, false, entry -> {});
    throw failure;
  }

  /** Whether a failure may pass while one waits. An answer that is not OneLake's needs a person. */
  public static boolean passes(DfsException failure) {
    return failure.transientFault() && failure.kind() != Kind.NOT_ONELAKE;
  }

  /** What to say when the URL names a file. */
  public String notAFolder() {
    return connection.url()
        + " is a file. Give the URL of the folder that is to hold the tables as 'landingZoneUrl'.";
  }

  private Finding signedIn() {
    return new Finding(
        true,
        "signed in"
            + connection.credentials().tenant().map(tenant -> " to tenant " + tenant).orElse("")
            + " as "
            + connection.credentials().identity());
  }
}
