package io.corehub.fabric.mirroring;

import io.corehub.agent.Finding.Severity;
import io.corehub.agent.ProbeFinding;
import io.corehub.fabric.mirroring.FabricProbes.Verdict;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.text.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Puts to the test in a user's own landing zone what the protocol takes for granted, and leaves
 * nothing behind: the tables of the probes are taken away whatever happens, and those of processes
 * that were killed are found by name. Confined to one caller.
 */
final class TargetProbes {

  private final LandingZone zone;
  private final Supplier<ScratchTable> tables;
  private final List<ScratchTable> made = new ArrayList<>();
  private final ScratchTable scratch;
  private final Duration patience;
  private final Consumer<ProbeFinding> findings;

  /**
   * Probes.
   *
   * @param tables makes tables of different names
   * @param patience longest time to wait for Fabric
   * @param findings told of each finding as it is made
   */
  TargetProbes(
      LandingZone zone,
      Supplier<ScratchTable> tables,
      Duration patience,
      Consumer<ProbeFinding> findings) {
    this.zone = zone;
    this.tables = tables;
    this.scratch = another();
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
              + " is a probe table of another check, which runs now or was killed. A check that"
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
          // The other probes need it, even where it does not come by itself.
          zone.retries().run(RetryPolicy.SET_UP, FailureListener.NONE, scratch::makeFolder);
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

  private void fabric() throws InterruptedException {
    FabricProbes probes =
        new FabricProbes(zone, scratch, new LimitProbes(this::another), patience, this::tell);
    try {
      probes.run();
    } catch (DfsException e) {
      probes.open().forEach(probe -> tell(probe, e));
    }
  }

  private ScratchTable another() {
    ScratchTable table = tables.get();
    made.add(table);
    return table;
  }

  private void takeAway() throws InterruptedException {
    for (ScratchTable table : made) {
      try {
        table.takeAway();
      } catch (DfsException e) {
        tell(Severity.ERROR, notDeleted(table.folder(), e));
      } catch (InterruptedException e) {
        tell(
            Severity.ERROR,
            "Interrupted while "
                + made.stream().map(ScratchTable::folder).collect(Collectors.joining(", "))
                + " were deleted. Look whether one is still there, and delete it.");
        throw e;
      }
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
