package io.corehub.fabric.mirroring;

import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.agent.verify.Violation.Severity;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.verify.LandingZoneVerifier;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** What the verifier thinks of a landing zone in memory. */
final class Judged {

  private Judged() {}

  static List<Violation> all(InMemoryFileSystem fileSystem)
      throws IOException, InterruptedException {
    TargetFiles files =
        LandingZoneFiles.of(
            AgentConfig.of(MirroringSettings.AGENT.parse(MemoryTarget.settings())).connection(),
            fileSystem.client(),
            new Retries(Retries.Time.SYSTEM, new Random(1)::nextDouble));
    return new LandingZoneVerifier().verify(files);
  }

  static List<Violation> errors(InMemoryFileSystem fileSystem)
      throws IOException, InterruptedException {
    return all(fileSystem).stream().filter(v -> v.severity() == Severity.ERROR).toList();
  }
}
