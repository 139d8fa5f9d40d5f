package io.corehub.storage;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStatus;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.InvalidValueException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of an agent that writes to a storage: opened once, closed once, the one while the other
 * is under way if need be. Thread-safe.
 *
 * @param <S> its work while it is open
 */
public final class AgentLife<S extends AgentLife.Session> {

  /** What an open agent does. Owns the client once it is there. */
  public interface Session {
    /**
     * Where each table stands.
     *
     * @return one for each table
     */
    List<TableStatus> status();

    /** Ends it, and the client. */
    void close();
  }

  private @Nullable S session;
  private @Nullable DfsClient client;
  private boolean closed;

  /** A life that has not begun. */
  public AgentLife() {}

  /**
   * Opens a client.
   *
   * @param opener opens it
   * @return the client, which is the caller's
   * @throws ActionRequiredException if the settings name a place that cannot be
   */
  public static DfsClient client(Supplier<DfsClient> opener) {
    try {
      return opener.get();
    } catch (InvalidValueException e) {
      throw new ActionRequiredException(ErrorCode.SETTINGS, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Begins to open. Until there is a session, a call of {@link #close} closes the client.
   *
   * @param opener opens the client
   * @return the client
   * @throws IllegalStateException if it was opened or closed before
   * @throws ActionRequiredException if the settings name a place that cannot be
   */
  public synchronized DfsClient begin(Supplier<DfsClient> opener) {
    if (closed || client != null) {
      throw new IllegalStateException(closed ? "The agent is closed" : "The agent is open");
    }
    DfsClient opened = client(opener);
    client = opened;
    return opened;
  }

  /**
   * The agent is open.
   *
   * @param work makes its session; not called when the agent was closed meanwhile
   * @return the session
   * @throws IllegalStateException if the agent was closed meanwhile
   */
  public synchronized S opened(Supplier<S> work) {
    if (closed) {
      throw new IllegalStateException("The agent was closed while it was opened");
    }
    S fresh = work.get();
    session = fresh;
    return fresh;
  }

  /**
   * The session.
   *
   * @return the session of an open agent
   * @throws IllegalStateException if the agent is not open
   */
  public synchronized S session() {
    S open = session;
    if (open == null || closed) {
      throw new IllegalStateException("The agent is not open");
    }
    return open;
  }

  /**
   * Where each table stands, also after the end.
   *
   * @return none before the agent is open
   */
  public synchronized List<TableStatus> status() {
    S known = session;
    return known == null ? List.of() : known.status();
  }

  /** Ends the agent; does nothing the second time. */
  public void close() {
    S ending;
    DfsClient own;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      ending = session;
      own = client;
    }
    if (ending != null) {
      ending.close();
    } else if (own != null) {
      own.close();
    }
  }
}
