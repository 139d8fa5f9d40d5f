package io.corehub.fabric.mirroring;

import io.corehub.agent.Finding.Severity;
import io.corehub.agent.ProbeFinding;
import io.corehub.fabric.mirroring.FabricProbes.Verdict;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.text.Text;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Puts to the test in a user's own landing zone what the protocol takes for granted, and leaves
 * nothing behind: the table of the probes is taken away whatever happens, and those of processes
 * that were killed are found by name. Confined to one caller.
 */
final class TargetProbes {

  private final LandingZone zone;
  private final ScratchTable scratch;
  private final Duration patience;
  private final Consumer<ProbeFinding> findings;

  /**
   * Probes.
   *
   * @param patience longest time to wait for Fabric
   * @param findings told of each finding as it is made
   */
  TargetProbes(
      LandingZone zone, ScratchTable scratch, Duration patience, Consumer<ProbeFinding> findings) {
    this.zone = zone;
    this.scratch = scratch;
    this.patience = patience;
    this.findings = findings;
  }

  void run() throws InterruptedException {
    try {
      leftovers();
      if (storage()) {
        fabric();
      }
    } finally {
      takeAway();
    }
  }

  private void leftovers() throws InterruptedException {
    List<ScratchTable.Leftover> found = List.of();
    try {
      found = ScratchTable.leftovers(zone);
    } catch (DfsException e) {
      tell(
          Severity.ERROR,
          "Whether killed checks left tables behind is not known. " + zone.advice(e));
    }
    for (ScratchTable.Leftover leftover : found) {
      leftover(leftover);
    }
  }

  private void leftover(ScratchTable.Leftover leftover) throws InterruptedException {
    if (!leftover.old()) {
      tell(
          Severity.WARNING,
          leftover.folder()
              + " is the probe table of another check, which runs now or was killed. A check that"
              + " begins more than an hour after it deletes it; delete it yourself if none runs.");
      return;
    }
    try {
      leftover.takeAway();
      tell(Severity.OK, leftover.folder() + ", which a killed check left behind, was deleted");
    } catch (DfsException e) {
      tell(Severity.ERROR, notDeleted(leftover.folder(), e));
    }
  }

  /** Whether the rest can be tried. */
  private boolean storage() throws InterruptedException {
    StorageProbes probes = new StorageProbes(zone, scratch);
    Set<Probe> all = EnumSet.complementOf(EnumSet.copyOf(FabricProbes.ALL));
    for (Probe probe : all) {
      boolean first = probe == Probe.FOLDER_WITH_FILE;
      try {
        Optional<String> refuted = zone.atSetUp(() -> probes.run(probe));
        if (first) {
          zone.retries().run(RetryPolicy.SET_UP, FailureListener.NONE, this::makeFolder);
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

  /** The other probes need it, even where it does not come by itself. */
  private void makeFolder() throws InterruptedException {
    zone.client().createDirectory(scratch.folder());
  }

  private void fabric() throws InterruptedException {
    FabricProbes probes = new FabricProbes(zone, scratch, patience, this::tell);
    try {
      probes.run();
    } catch (DfsException e) {
      probes.open().forEach(probe -> tell(probe, e));
    }
  }

  private void takeAway() throws InterruptedException {
    try {
      scratch.takeAway();
    } catch (DfsException e) {
      tell(Severity.ERROR, notDeleted(scratch.folder(), e));
    } catch (InterruptedException e) {
      tell(
          Severity.ERROR,
          "Interrupted while "
              + scratch.folder()
              + " was deleted. Look whether it is still there, and delete it.");
      throw e;
    }
  }

  private String notDeleted(String folder, DfsException e) {
    return folder
        + " holds nothing but files of probes and could not be deleted. Delete it. "
        + zone.advice(e);
  }

  private void tell(Probe probe, Verdict verdict) {
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

  private void tell(Probe probe, DfsException e) {
    findings.accept(
        new ProbeFinding(
            probe.id(),
            Severity.ERROR,
            "could not be tried whether " + probe.assumption() + ". " + zone.advice(e)));
  }

  private void tell(Severity severity, String message) {
    findings.accept(new ProbeFinding("", severity, message));
  }
}
