package io.corehub.storage.probe;

import io.corehub.agent.Finding.Severity;
import io.corehub.agent.ProbeFinding;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.text.Text;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts to the test in a user's own target what an agent takes for granted, and leaves nothing
 * behind: the folders of the probes are taken away whatever happens, and those of processes that
 * were killed are found by name, which says when they were made. Confined to one caller.
 */
public final class TargetProbes {

  /** A folder of probes that is older is in nobody's use. */
  private static final Duration LONGEST_USE = Duration.ofHours(1);

  private static final String PREFIX = "corehub_probe_";
  private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]{14})_[0-9a-f]{8}");
  private static final DateTimeFormatter MADE = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final Duration TAKING_AWAY = Duration.ofSeconds(20);

  private final Target target;
  private final Set<StorageProbe> storage;
  private final Consumer<ProbeFinding> findings;
  private final List<ProbeFolder> made = new ArrayList<>();

  /**
   * What is probed, and by what means.
   *
   * @param client sends requests, each once
   * @param retries repeats them
   * @param clock tells how old a folder is
   * @param threads runs what looks while another request is under way
   * @param ids makes unique ids
   * @param parent path of the folder that gets those of the probes; may be empty
   * @param uploads makes names of the form that uploads of the agent have
   * @param advice says what a person can do about a failure
   */
  public record Target(
      DfsClient client,
      Retries retries,
      InstantSource clock,
      Executor threads,
      Supplier<UUID> ids,
      String parent,
      Supplier<String> uploads,
      Function<DfsException, String> advice) {}

  /** What is probed besides the storage. */
  public interface Further {

    /**
     * Goes on once the storage was probed.
     *
     * @param folder the folder of its probes
     * @throws InterruptedException if interrupted
     */
    void probe(ProbeFolder folder) throws InterruptedException;
  }

  /**
   * Probes.
   *
   * @param target what is probed
   * @param storage the assumptions about the storage that the agent makes
   * @param findings told of each finding as it is made, in the caller's thread
   */
  public TargetProbes(Target target, Set<StorageProbe> storage, Consumer<ProbeFinding> findings) {
    this.target = target;
    this.storage = Set.copyOf(storage);
    this.findings = findings;
  }

  /**
   * Runs all probes.
   *
   * @param further what comes after those of the storage, unless nothing can be written at all
   * @throws InterruptedException if interrupted; the folders are taken away first
   */
  public void run(Further further) throws InterruptedException {
    try {
      leftovers();
      ProbeFolder folder = another();
      if (storage(folder)) {
        further.probe(folder);
      }
    } finally {
      takeAway();
    }
  }

  /**
   * A further folder, which is taken away in the end.
   *
   * @return a folder of another name
   */
  public ProbeFolder another() {
    String name =
        PREFIX
            + LocalDateTime.ofInstant(target.clock.instant(), ZoneOffset.UTC).format(MADE)
            + "_"
            + target.ids.get().toString().substring(0, 8);
    ProbeFolder folder = new ProbeFolder(target.client, below(name), target.uploads);
    made.add(folder);
    return folder;
  }

  private String below(String name) {
    return target.parent.isEmpty() ? name : target.parent + "/" + name;
  }

  /** Whether the rest can be tried. */
  private boolean storage(ProbeFolder folder) throws InterruptedException {
    StorageProbes probes = new StorageProbes(target.client, target.threads, folder);
    for (StorageProbe probe : StorageProbe.values()) {
      if (!storage.contains(probe)) {
        continue;
      }
      boolean first = probe == StorageProbe.FOLDER_WITH_FILE;
      try {
        Optional<String> refuted =
            target.retries.call(RetryPolicy.SET_UP, FailureListener.NONE, () -> probes.run(probe));
        if (first) {
          // The other probes need it, even where it does not come by itself.
          target.retries.run(RetryPolicy.SET_UP, FailureListener.NONE, folder::make);
        }
        tell(probe, refuted.isPresent() ? new Verdict.Refuted(refuted.get()) : new Verdict.Held());
      } catch (DfsException e) {
        tell(probe, e);
        if (first) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Tells what came of a probe.
   *
   * @param probe the probe
   * @param verdict what came of it
   */
  public void tell(Assumption probe, Verdict verdict) {
    ProbeFinding finding;
    if (verdict instanceof Verdict.Refuted refuted) {
      finding =
          new ProbeFinding(
              probe.id(),
              probe.costsOnly() ? Severity.WARNING : Severity.ERROR,
              "does not hold here: "
                  + probe.assumption()
                  + ". Seen: "
                  + Text.shown(refuted.seen(), 500).replaceFirst("[.\\s]+$", "")
                  + ". "
                  + probe.consequence());
    } else if (verdict instanceof Verdict.Undecided undecided) {
      finding =
          new ProbeFinding(
              probe.id(),
              Severity.WARNING,
              "not decided whether " + probe.assumption() + ". " + undecided.why());
    } else {
      finding = new ProbeFinding(probe.id(), Severity.OK, probe.assumption());
    }
    findings.accept(finding);
  }

  /**
   * Tells of a probe that could not be tried.
   *
   * @param probe the probe
   * @param failure why
   */
  public void tell(Assumption probe, DfsException failure) {
    findings.accept(
        new ProbeFinding(
            probe.id(),
            Severity.ERROR,
            "could not be tried whether "
                + probe.assumption()
                + ". "
                + target.advice.apply(failure)));
  }

  private void tell(Severity severity, String message) {
    findings.accept(new ProbeFinding("", severity, message));
  }

  // --- what is left behind ---------------------------------------------------------------------

  private void leftovers() throws InterruptedException {
    List<PathEntry> found = List.of();
    try {
      found = listed();
    } catch (DfsException e) {
      tell(
          Severity.ERROR,
          "Whether killed checks left folders behind is not known. " + target.advice.apply(e));
    }
    Instant oldest = target.clock.instant().minus(LONGEST_USE);
    for (PathEntry folder : found) {
      Optional<Instant> made = made(folder.name());
      if (folder.directory() && made.isPresent()) {
        leftover(folder.path(), made.get().isBefore(oldest));
      }
    }
  }

  /** What lies beside the folders of the probes, oldest probes first. */
  private List<PathEntry> listed() throws InterruptedException {
    return target.retries.call(
        RetryPolicy.SET_UP,
        FailureListener.NONE,
        () -> {
          List<PathEntry> found = new ArrayList<>();
          try {
            target.client.list(target.parent, false, found::add);
          } catch (DfsException e) {
            if (e.kind() != Kind.NOT_FOUND) {
              throw e;
            }
          }
          return found.stream().sorted((one, other) -> one.path().compareTo(other.path())).toList();
        });
  }

  private void leftover(String folder, boolean old) throws InterruptedException {
    if (!old) {
      tell(
          Severity.WARNING,
          folder
              + " is of the probes of another check, which runs now or was killed. A check that"
              + " begins more than an hour after it deletes it; delete it yourself if none runs.");
      return;
    }
    try {
      takeAway(folder);
      tell(Severity.OK, folder + ", which a killed check left behind, was deleted");
    } catch (DfsException e) {
      tell(Severity.ERROR, notDeleted(folder, e));
    }
  }

  private void takeAway() throws InterruptedException {
    for (ProbeFolder folder : made) {
      try {
        takeAway(folder.path());
      } catch (DfsException e) {
        tell(Severity.ERROR, notDeleted(folder.path(), e));
      } catch (InterruptedException e) {
        tell(
            Severity.ERROR,
            "Interrupted while "
                + made.stream().map(ProbeFolder::path).collect(Collectors.joining(", "))
                + " were deleted. Look whether one is still there, and delete it.");
        throw e;
      }
    }
  }

  private void takeAway(String folder) throws InterruptedException {
    target.retries.call(
        RetryPolicy.within(TAKING_AWAY),
        FailureListener.NONE,
        e -> e.transientFault() || e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND,
        () -> {
          boolean there = target.client.head(folder).isPresent();
          if (there) {
            target.client.delete(folder, true);
          }
          return there;
        });
  }

  private String notDeleted(String folder, DfsException e) {
    return folder
        + " holds nothing but files of probes and could not be deleted. Delete it. "
        + target.advice.apply(e);
  }

  private static Optional<Instant> made(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDateTime.parse(matcher.group(1), MADE).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
