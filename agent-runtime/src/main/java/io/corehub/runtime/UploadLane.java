package io.corehub.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The files of one table on their way to the target. They are published one after the other in the
 * order they came; once a file was published, uploads of the next few may overlap. Lanes work in
 * parallel. Thread-safe; never blocks a caller.
 */
public final class UploadLane {

  /** Files behind the first one that may be uploaded meanwhile. */
  private static final int AHEAD = 2;

  /** The news of a lane. Calls come one at a time for a lane, without any lock held. */
  public interface Listener {

    /**
     * A file is visible; calls come in the order of the files.
     *
     * @param file the file
     */
    void published(Publication file);

    /**
     * A file cannot be published. The lane is stopped; its other files are abandoned.
     *
     * @param file the file
     * @param reason what the file threw
     */
    void failed(Publication file, Throwable reason);

    /** No file is left in the lane: of a stopped lane nothing can become visible any more. */
    void emptied();
  }

  private enum Phase {
    WAITING,
    UPLOADING,
    UPLOADED,
    PUBLISHING
  }

  private static final class Entry {
    final Publication file;
    Phase phase = Phase.WAITING;
    boolean pausing;

    Entry(Publication file) {
      this.file = file;
    }

    boolean running() {
      return !pausing && (phase == Phase.UPLOADING || phase == Phase.PUBLISHING);
    }
  }

  private final UploadSlots slots;
  private final Timer timer;
  private final Listener listener;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private boolean anyPublished;
  private boolean stopped;

  /**
   * A lane without files.
   *
   * @param slots shared by all lanes
   * @param timer for pauses between attempts
   * @param listener told what became of the files
   */
  public UploadLane(UploadSlots slots, Timer timer, Listener listener) {
    this.slots = slots;
    this.timer = timer;
    this.listener = listener;
  }

  /**
   * Takes the next file. A stopped lane abandons it at once.
   *
   * @param file the file
   */
  public void submit(Publication file) {
    boolean taken;
    synchronized (entries) {
      taken = !stopped;
      if (taken) {
        entries.add(new Entry(file));
      }
    }
    if (taken) {
      startWhatCan();
    } else {
      file.abandon();
    }
  }

  /**
   * Files that are not published yet.
   *
   * @return the number
   */
  public int queued() {
    synchronized (entries) {
      return entries.size();
    }
  }

  /** Abandons all files and every later one; what is under way ends with its current step. */
  public void stop() {
    List<Entry> dropped = new ArrayList<>();
    synchronized (entries) {
      stopped = true;
      for (Iterator<Entry> all = entries.iterator(); all.hasNext(); ) {
        Entry entry = all.next();
        if (!entry.running()) {
          all.remove();
          dropped.add(entry);
        }
      }
    }
    dropped.forEach(entry -> entry.file.abandon());
    tellIfEmpty();
  }

  private void tellIfEmpty() {
    if (queued() == 0) {
      listener.emptied();
    }
  }

  private void startWhatCan() {
    List<Entry> started = new ArrayList<>();
    synchronized (entries) {
      int place = 0;
      for (Entry entry : entries) {
        if (place > (anyPublished ? AHEAD : 0)) {
          break;
        }
        if (entry.phase == Phase.WAITING) {
          entry.phase = Phase.UPLOADING;
          started.add(entry);
        } else if (entry.phase == Phase.UPLOADED && place == 0) {
          entry.phase = Phase.PUBLISHING;
          started.add(entry);
        }
        place++;
      }
    }
    for (Entry entry : started) {
      slots.run(entry.file, entry.file.bytes(), () -> run(entry), reason -> fail(entry, reason));
    }
  }

  /** Takes a file as far as it goes now. */
  private void run(Entry entry) {
    try {
      boolean more = true;
      while (more) {
        if (gaveUp(entry)) {
          return;
        }
        more = advance(entry);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      leave(entry);
    } catch (RuntimeException | Error e) {
      fail(entry, e);
    }
  }

  private boolean gaveUp(Entry entry) {
    synchronized (entries) {
      if (!stopped) {
        return false;
      }
      entries.remove(entry);
    }
    entry.file.abandon();
    tellIfEmpty();
    return true;
  }

  /** One call of a phase; true if the next phase can begin at once. */
  private boolean advance(Entry entry) throws InterruptedException {
    boolean uploading = entry.phase == Phase.UPLOADING;
    Publication.Step step = uploading ? entry.file.upload() : entry.file.publish();
    if (step instanceof Publication.Step.Again again) {
      pause(entry, uploading, again.pause());
      return false;
    }
    if (step instanceof Publication.Step.After after) {
      after.other().whenComplete((result, failure) -> pause(entry, uploading, Duration.ZERO));
      return false;
    }
    return uploading ? uploaded(entry) : published(entry);
  }

  private void pause(Entry entry, boolean uploading, Duration pause) {
    Runnable resume =
        () -> {
          try {
            if (back(entry, uploading)) {
              startWhatCan();
            }
          } catch (RuntimeException | Error e) {
            fail(entry, e);
          }
        };
    if (pause.isZero() || pause.isNegative()) {
      resume.run();
    } else {
      synchronized (entries) {
        entry.pausing = true;
      }
      timer.in(pause, resume);
      dropIfStopped(entry, uploading);
    }
  }

  /** Puts an entry back to where its phase starts. */
  private boolean back(Entry entry, boolean uploading) {
    synchronized (entries) {
      entry.pausing = false;
      if (!stopped) {
        entry.phase = uploading ? Phase.WAITING : Phase.UPLOADED;
        return true;
      }
      if (!entries.remove(entry)) {
        return false;
      }
    }
    entry.file.abandon();
    tellIfEmpty();
    return false;
  }

  private void dropIfStopped(Entry entry, boolean uploading) {
    boolean stop;
    synchronized (entries) {
      stop = stopped;
    }
    if (stop) {
      back(entry, uploading);
    }
  }

  private boolean uploaded(Entry entry) {
    synchronized (entries) {
      boolean first = entries.peek() == entry && !stopped;
      entry.phase = first ? Phase.PUBLISHING : Phase.UPLOADED;
      return first || stopped;
    }
  }

  private boolean published(Entry entry) {
    synchronized (entries) {
      entries.remove(entry);
      anyPublished = true;
    }
    listener.published(entry.file);
    startWhatCan();
    tellIfEmpty();
    return false;
  }

  private void fail(Entry entry, Throwable reason) {
    synchronized (entries) {
      entries.remove(entry);
    }
    stop();
    entry.file.abandon();
    listener.failed(entry.file, reason);
  }

  /**
   * The thread was told to end: the file stays unpublished, its outcome is seen at the next start.
   */
  private void leave(Entry entry) {
    synchronized (entries) {
      entries.remove(entry);
      stopped = true;
    }
    entry.file.abandon();
    tellIfEmpty();
  }
}
