package io.corehub.onelake;

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
    OneLakeUrl url = connection.url();
    Optional<PathProperties> folder;
    try {
      folder =
          retries.call(policy, listener, SetupCheck::repeatable, () -> client.head(url.path()));
    } catch (DfsException e) {
      Finding failure = new Finding(false, Advice.of(connection).of(e));
      return e.operation().equals("sign-in") ? List.of(failure) : List.of(signedIn(), failure);
    }
    return List.of(signedIn(), folder.map(this::found).orElseGet(this::missing));
  }

  /** An answer that is not OneLake's needs a person, however often it is asked for. */
  private static boolean repeatable(DfsException failure) {
    return failure.transientFault() && failure.kind() != DfsException.Kind.NOT_ONELAKE;
  }

  private Finding signedIn() {
    return new Finding(
        true,
        "signed in to tenant "
            + connection.tenantId()
            + " as app "
            + connection.credentials().clientId());
  }

  private Finding found(PathProperties folder) {
    return folder.directory()
        ? new Finding(true, connection.url() + " exists")
        : new Finding(
            false,
            connection.url()
                + " is a file. Paste the URL of the folder that is to hold the tables.");
  }

  private Finding missing() {
    return new Finding(
        false,
        connection.url()
            + " does not exist. Open the mirrored database in Fabric and copy the landing zone URL from its Home page.");
  }
}
