package io.corehub.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes that may be held, shared by owners. Thread-safe.
 *
 * <p>Rules:
 *
 * <ol>
 *   <li>All claims of one call are granted in one step or not at all, so nobody holds a part of
 *       what it needs while waiting for the rest.
 *   <li>First come, first served; but who waits only because its own owner is at its share lets
 *       others pass.
 *   <li>Claims that exceed the whole capacity are granted when no other such claim is outstanding,
 *       so that the largest thing still gets through.
 *   <li>Whoever begins to wait, or goes on waiting after something was given back, asks {@link
 *       Pressure} to have memory freed; it is called without any lock held.
 * </ol>
 */
public final class MemoryBudget {

  /** Frees memory that would otherwise be kept for a while. Must not block. */
  public interface Pressure {
    /** Nothing can be freed early. */
    Pressure NONE = full -> {};

    /**
     * Somebody waits.
     *
     * @param full owners that are at their share; empty when the whole budget is short
     */
    void relieve(Set<Object> full);
  }

  /**
   * A wish.
   *
   * @param owner for whose share it counts
   * @param bytes how much, not negative
   */
  public record Claim(Object owner, long bytes) {}

  private final long capacity;
  private final long share;
  private final Pressure pressure;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private final Map<Object, Long> held = new HashMap<>();
  private long used;
  private int oversized;
  private boolean ended;

  /**
   * A budget.
   *
   * @param capacity bytes in all
   * @param share bytes from which on an owner waits although the budget has room
   * @param pressure asked to free memory while somebody waits
   */
  public MemoryBudget(long capacity, long share, Pressure pressure) {
    if (capacity < 1 || share < 1) {
      throw new IllegalArgumentException("Capacity and share must be positive");
    }
    this.capacity = capacity;
    this.share = share;
    this.pressure = pressure;
  }

  /**
   * Reserves for one owner; blocks until granted.
   *
   * @param owner owner
   * @param bytes bytes
   * @return the reservation
   * @throws InterruptedException if interrupted; nothing was reserved
   */
  public Reservation reserve(Object owner, long bytes) throws InterruptedException {
    return reserve(List.of(new Claim(owner, bytes))).get(0);
  }

  /**
   * Reserves several claims in one step; blocks until granted.
   *
   * @param claims claims
   * @return a reservation for each claim, in order
   * @throws InterruptedException if interrupted; nothing was reserved
   */
  public List<Reservation> reserve(List<Claim> claims) throws InterruptedException {
    Waiter waiter = new Waiter(List.copyOf(claims), lock.newCondition());
    lock.lockInterruptibly();
    try {
      waiters.add(waiter);
      grantWaiters();
      while (!waiter.granted) {
        Set<Object> full = fullOwners(waiter.claims);
        long seen = waiter.signals;
        lock.unlock();
        try {
          pressure.relieve(full);
        } finally {
          lock.lock();
        }
        while (!waiter.granted && waiter.signals == seen) {
          waiter.signal.await();
        }
      }
    } catch (InterruptedException e) {
      withdraw(waiter);
      throw e;
    } finally {
      lock.unlock();
    }
    return List.copyOf(waiter.reservations);
  }

  /**
   * Counts memory that is held in any case, without waiting; the budget may be exceeded by it.
   *
   * @param owner owner
   * @param bytes bytes
   * @return the reservation
   */
  public Reservation force(Object owner, long bytes) {
    lock.lock();
    try {
      count(owner, bytes);
      return new Reservation(owner, bytes, false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Nobody is left to give memory back: whoever waits, and whoever comes, gets what was asked for
   * at once. The caller sees to it that nobody puts it to use. Idempotent.
   */
  public void end() {
    lock.lock();
    try {
      ended = true;
      grantWaiters();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Bytes reserved now.
   *
   * @return bytes
   */
  public long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The whole budget.
   *
   * @return bytes
   */
  public long capacity() {
    return capacity;
  }

  private void withdraw(Waiter waiter) {
    waiters.remove(waiter);
    waiter.reservations.forEach(Reservation::release);
    grantWaiters();
  }

  private Set<Object> fullOwners(List<Claim> claims) {
    Set<Object> full = new LinkedHashSet<>();
    for (Claim claim : claims) {
      if (heldBy(claim.owner) >= share) {
        full.add(claim.owner);
      }
    }
    return full;
  }

  private long heldBy(Object owner) {
    return held.getOrDefault(owner, 0L);
  }

  private void grantWaiters() {
    for (var all = waiters.iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      waiter.signals++;
      waiter.signal.signal();
      if (!ended && !fullOwners(waiter.claims).isEmpty()) {
        continue;
      }
      long bytes = waiter.bytes();
      boolean large = bytes > capacity;
      if (!ended && (large ? oversized > 0 : bytes > capacity - used)) {
        signalRest(all);
        return;
      }
      all.remove();
      grant(waiter, large);
    }
  }

  private static void signalRest(java.util.Iterator<Waiter> rest) {
    while (rest.hasNext()) {
      Waiter waiter = rest.next();
      waiter.signals++;
      waiter.signal.signal();
    }
  }

  private void grant(Waiter waiter, boolean large) {
    for (Claim claim : waiter.claims) {
      count(claim.owner, claim.bytes);
      boolean carriesMark = large && waiter.reservations.isEmpty();
      waiter.reservations.add(new Reservation(claim.owner, claim.bytes, carriesMark));
    }
    oversized += large ? 1 : 0;
    waiter.granted = true;
  }

  private void count(Object owner, long bytes) {
    used += bytes;
    long now = heldBy(owner) + bytes;
    if (now == 0) {
      held.remove(owner);
    } else {
      held.put(owner, now);
    }
  }

  private static final class Waiter {
    final List<Claim> claims;
    final Condition signal;
    final List<Reservation> reservations = new ArrayList<>();
    boolean granted;
    long signals;

    Waiter(List<Claim> claims, Condition signal) {
      this.claims = claims;
      this.signal = signal;
    }

    long bytes() {
      long bytes = 0;
      for (Claim claim : claims) {
        bytes += claim.bytes;
      }
      return bytes;
    }
  }

  /** Bytes granted to an owner until they are released. Thread-safe. */
  public final class Reservation {

    private final Object owner;
    private long bytes;
    private boolean marked;

    private Reservation(Object owner, long bytes, boolean marked) {
      this.owner = owner;
      this.bytes = bytes;
      this.marked = marked;
    }

    /**
     * Bytes held.
     *
     * @return bytes; 0 after the release
     */
    public long bytes() {
      lock.lock();
      try {
        return bytes;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Sets what is held. Never waits: growth may exceed the budget.
     *
     * @param newBytes bytes from now on
     */
    public void resize(long newBytes) {
      lock.lock();
      try {
        boolean freed = newBytes < bytes;
        count(owner, newBytes - bytes);
        bytes = newBytes;
        if (marked && newBytes <= capacity) {
          marked = false;
          oversized--;
          freed = true;
        }
        if (freed) {
          grantWaiters();
        }
      } finally {
        lock.unlock();
      }
    }

    /**
     * Changes what is held. Never waits: growth may exceed the budget.
     *
     * @param delta bytes more, or fewer if negative
     */
    public void grow(long delta) {
      lock.lock();
      try {
        resize(Math.max(0, bytes + delta));
      } finally {
        lock.unlock();
      }
    }

    /**
     * Moves a part into a reservation of its own.
     *
     * @param part bytes, at most what is held
     * @return holds the part
     */
    public Reservation split(long part) {
      lock.lock();
      try {
        long moved = Math.min(part, bytes);
        bytes -= moved;
        return new Reservation(owner, moved, false);
      } finally {
        lock.unlock();
      }
    }

    /** Gives everything back. Idempotent. */
    public void release() {
      resize(0);
    }
  }
}
