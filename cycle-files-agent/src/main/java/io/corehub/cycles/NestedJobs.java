package io.corehub.cycles;

import java.util.Set;
import java.util.TreeSet;

/**
 * Folders of other jobs that lie below this one's, told by their fences: nothing in them is this
 * job's. Confined to one thread.
 */
final class NestedJobs {

  private final String own;
  private final Set<String> folders = new TreeSet<>();

  /**
   * None are known.
   *
   * @param own this job's folder
   */
  NestedJobs(String own) {
    this.own = own;
  }

  /** Looks at a path, which may be a fence. */
  void look(String path) {
    int fence = path.indexOf(CycleLayout.WRITER);
    if (fence > 0 && !path.startsWith(own + CycleLayout.WRITER)) {
      folders.add(path.substring(0, fence));
    }
  }

  /** Whether a path belongs to one of them; once every path was looked at. */
  boolean hold(String path) {
    return folders.stream().anyMatch(folder -> JobFiles.isBelow(path, folder));
  }
}
