package io.corehub.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.corehub.architecture.Modules.resideIn;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import java.util.stream.BaseStream;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.X509TrustManager;

/**
 * The rules of docs/design/architecture.md. Each says why it is there and how to comply; change the
 * page and the rule together.
 */
@AnalyzeClasses(locations = Modules.class)
class ArchitectureTest {

  private static final String[] AGENTS = {"fabric-mirroring-agent", "cycle-files-agent"};
  private static final String[] WATCHED = {
    "fabric-mirroring-agent",
    "cycle-files-agent",
    "agent-runtime",
    "onelake-client",
    "parquet-writer",
    "core-hub",
    "kafka-connect-sink"
  };
  private static final String[] HOSTS = {"core-hub", "kafka-connect-sink"};

  @ArchTest
  static final ArchRule nobodyUsesTheInternalsOfAnotherModule =
      classes()
          .should(notUseForeignInternals())
          .because(
              "what is internal may change without notice; ask the owning module for a public type"
                  + " instead");

  @ArchTest
  static final ArchRule theApiNeedsOnlyTheJdk =
      classes()
          .that(resideIn("agent-api"))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.corehub.agent..", "java..", "org.jspecify.annotations..")
          .because(
              "a hub of any making must be able to load it beside its own libraries; put what needs"
                  + " more into agent-runtime or the agent");

  @ArchTest
  static final ArchRule theNamesNeedOnlyTheJdk =
      classes()
          .that(resideIn("fabric-naming"))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.corehub.lineage.naming..", "java..", "org.jspecify.annotations..")
          .because(
              "a Spark job loads it beside whatever it has; put what needs a library into the module"
                  + " that sends events");

  @ArchTest
  static final ArchRule hostsKnowNoAgent =
      noClasses()
          .that(resideIn(HOSTS))
          .should()
          .dependOnClassesThat(resideIn(AGENTS))
          .because(
              "an agent is added by putting its jar on the class path; find it by ServiceLoader and"
                  + " speak to it through agent-api");

  @ArchTest
  static final ArchRule agentsKnowNoHost =
      noClasses()
          .that(resideIn(AGENTS))
          .should()
          .dependOnClassesThat(resideIn(HOSTS))
          .because("an agent must run in any host; take what it lends from AgentContext");

  @ArchTest
  static final ArchRule agentsKnowNoOtherAgent =
      classes()
          .that(resideIn(AGENTS))
          .should(notUseOtherModules(AGENTS))
          .because(
              "an agent ships alone; move what two agents share into agent-runtime, or into"
                  + " agent-storage if it concerns the target's files");

  @ArchTest
  static final ArchRule lineageIsFoundByTheHubAndKnowsNoneOfThoseItWatches =
      classes()
          .that(resideIn("fabric-lineage"))
          .should(notUseOtherModules(WATCHED))
          .because(
              "it must work with every agent in every host; have the SPI's ProgressListener say what"
                  + " is missing");

  @ArchTest
  static final ArchRule nobodyNeedsLineage =
      noClasses()
          .that(resideIn(AGENTS).or(resideIn(HOSTS)).or(resideIn("agent-api", "agent-runtime")))
          .should()
          .dependOnClassesThat(resideIn("fabric-lineage", "fabric-naming"))
          .because(
              "replication goes on where its jar is not; tell the SPI's ProgressListener and find"
                  + " observers by ServiceLoader");

  @ArchTest
  static final ArchRule onlyTheEmitterOfLineageStartsAThread =
      noClasses()
          .that(resideIn("fabric-lineage", "fabric-naming"))
          .and(
              DescribedPredicate.not(
                  DescribedPredicate.describe(
                      "are the emitter",
                      type -> type.getName().equals("io.corehub.lineage.LineageEmitter"))))
          .should()
          .callCodeUnitWhere(startsAThread())
          .because("a catalogue that hangs may hold one daemon thread and nothing else");

  @ArchTest
  static final ArchRule verifiersKnowNothingOfWhatTheyJudge =
      noClasses()
          .that(resideIn("landing-zone-verifier", "cycle-files-reader"))
          .should()
          .dependOnClassesThat(
              resideIn(AGENTS)
                  .or(resideIn(HOSTS))
                  .or(
                      resideIn(
                          "parquet-writer", "agent-runtime", "agent-storage", "onelake-client"))
                  .or(areForSpeakingToServers()))
          .because(
              "code shared with the agent would make the agent's mistakes; read files through"
                  + " TargetFiles and judge them by the contract");

  @ArchTest
  static final ArchRule theRuntimeKnowsNoAgentAndNoTarget =
      noClasses()
          .that(resideIn("agent-runtime"))
          .should()
          .dependOnClassesThat(
              resideIn(AGENTS).or(resideIn(HOSTS)).or(resideIn("onelake-client", "agent-storage")))
          .because(
              "windows, lanes and ledger serve every file-writing agent; let the agent hand in what"
                  + " is particular to its target");

  @ArchTest
  static final ArchRule theSharedStorageKnowsNoAgent =
      noClasses()
          .that(resideIn("agent-storage"))
          .should()
          .dependOnClassesThat(resideIn(AGENTS).or(resideIn(HOSTS)))
          .because(
              "names and the meaning of files are an agent's own; let the agent hand in what is"
                  + " particular to its files");

  @ArchTest
  static final ArchRule theParquetWriterKnowsNothingOfAgentsAndTargets =
      noClasses()
          .that(resideIn("parquet-writer"))
          .should()
          .dependOnClassesThat(
              resideIn(AGENTS)
                  .or(resideIn(HOSTS))
                  .or(
                      resideIn(
                          "onelake-client", "agent-runtime", "agent-storage", "onelake-emulator")))
          .because("a file format has no target; pass names and footer entries in as values");

  @ArchTest
  static final ArchRule theOneLakeClientKnowsNothingOfAgentsAndFiles =
      noClasses()
          .that(resideIn("onelake-client"))
          .should()
          .dependOnClassesThat(
              resideIn(AGENTS)
                  .or(resideIn(HOSTS))
                  .or(
                      resideIn(
                          "parquet-writer", "agent-runtime", "agent-storage", "onelake-emulator")))
          .because("storage does not know what it stores; pass bytes and paths in");

  @ArchTest
  static final ArchRule onlyTheOneLakeClientOpensSocketsOnTheWayToTheTarget =
      noClasses()
          .that(
              resideIn(AGENTS)
                  .or(resideIn("agent-api", "agent-runtime", "agent-storage", "parquet-writer")))
          .should()
          .dependOnClassesThat(areForSpeakingToServers())
          .because(
              "host policy, sign-in, time limits and the one retry policy live in onelake-client;"
                  + " add the operation to its port");

  @ArchTest
  static final ArchRule onlyTheRuntimeStartsThreadsInsideAnAgent =
      noClasses()
          .that(
              resideIn(AGENTS)
                  .or(resideIn("agent-api", "agent-storage", "parquet-writer", "onelake-client")))
          .and(DescribedPredicate.not(keepTimeLimits()))
          .should()
          .callCodeUnitWhere(startsAThread())
          .because(
              "close() promises that no thread stays behind; take threads from agent-runtime, which"
                  + " counts and ends them");

  /** The one exception: the clock of the client's time limits, which the client's close ends. */
  private static DescribedPredicate<JavaClass> keepTimeLimits() {
    return DescribedPredicate.describe(
        "keep the time limits of requests",
        type -> type.getName().equals("io.corehub.onelake.azure.AzureDfsClient"));
  }

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .assignedFrom(publicPackages())
          .should()
          .beFreeOfCycles()
          .because(
              "a package that needs itself by a detour cannot be read or moved alone; move the type"
                  + " both need below both");

  @ArchTest
  static final ArchRule internalPackagesFormNoCycle =
      slices()
          .assignedFrom(internalPackages())
          .should()
          .beFreeOfCycles()
          .because("what holds for public packages holds behind them; move the type both need");

  @ArchTest
  static final ArchRule nothingIsReadOrWrittenByJavaSerialisation =
      noClasses()
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ObjectInputStream.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ObjectOutputStream.class)
          .because(
              "reading it runs code that the data chooses, and no other version can read it; write"
                  + " JSON");

  @ArchTest
  static final ArchRule nobodyDecidesAloneWhomToTrust =
      noClasses()
          .should()
          .beAssignableTo(X509TrustManager.class)
          .orShould()
          .beAssignableTo(HostnameVerifier.class)
          .because(
              "a trust manager of one's own is how certificates stop being checked; add the"
                  + " certificate to a KeyStore and let the JDK check");

  private static ArchCondition<JavaClass> notUseForeignInternals() {
    return new ArchCondition<>("not use the internal packages of another module") {
      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        Optional<String> home = Modules.of(origin);
        for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          Optional<String> owner = Modules.of(target);
          boolean internal = (target.getPackageName() + ".").contains(".internal.");
          if (internal && owner.isPresent() && !owner.equals(home)) {
            events.add(SimpleConditionEvent.violated(origin, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static ArchCondition<JavaClass> notUseOtherModules(String... modules) {
    Set<String> names = Set.of(modules);
    return new ArchCondition<>("not use another module of " + names) {
      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        Optional<String> home = Modules.of(origin);
        for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
          Optional<String> owner = Modules.of(dependency.getTargetClass().getBaseComponentType());
          if (owner.filter(names::contains).isPresent() && !owner.equals(home)) {
            events.add(SimpleConditionEvent.violated(origin, dependency.getDescription()));
          }
        }
      }
    };
  }

  /** A public package and the internal one right below it are one thing seen from two sides. */
  private static SliceAssignment publicPackages() {
    return packages(
        "packages of the project",
        name ->
            !name.contains(".internal.") ? Optional.of(withoutInternal(name)) : Optional.empty());
  }

  private static String withoutInternal(String name) {
    return name.endsWith(".internal") ? name.substring(0, name.lastIndexOf('.')) : name;
  }

  private static SliceAssignment internalPackages() {
    return packages(
        "internal packages",
        name -> (name + ".").contains(".internal.") ? Optional.of(name) : Optional.empty());
  }

  private static SliceAssignment packages(
      String description, Function<String, Optional<String>> slice) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        return slice
            .apply(javaClass.getPackageName())
            .filter(name -> name.startsWith("io.corehub"))
            .map(SliceIdentifier::of)
            .orElseGet(SliceIdentifier::ignore);
      }

      @Override
      public String getDescription() {
        return description;
      }
    };
  }

  private static DescribedPredicate<JavaClass> areForSpeakingToServers() {
    Set<String> types =
        Set.of(
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.net.DatagramSocket",
            "java.net.URLConnection",
            "java.net.HttpURLConnection",
            "java.net.URL",
            "java.nio.channels.SocketChannel",
            "java.nio.channels.ServerSocketChannel",
            "java.nio.channels.AsynchronousSocketChannel",
            "java.nio.channels.DatagramChannel");
    return DescribedPredicate.describe(
        "are for speaking to servers",
        type ->
            types.contains(type.getName())
                || type.getPackageName().startsWith("java.net.http")
                || type.getPackageName().startsWith("javax.net")
                || type.getPackageName().startsWith("com.azure"));
  }

  private static DescribedPredicate<JavaAccess<?>> startsAThread() {
    return DescribedPredicate.describe(
        "it starts a thread or hands work to a pool nobody ends",
        access ->
            access.getTarget() instanceof CodeUnitCallTarget target
                && startsAThread(target.getOwner(), target.getName()));
  }

  private static boolean startsAThread(JavaClass owner, String name) {
    boolean made = name.equals("<init>");
    return made && owner.isAssignableTo(Thread.class)
        || made && owner.isAssignableTo(ThreadPoolExecutor.class)
        || made && owner.isAssignableTo(ForkJoinPool.class)
        || made && owner.isAssignableTo(Timer.class)
        || owner.isEquivalentTo(Executors.class) && name.startsWith("new")
        || owner.isEquivalentTo(CompletableFuture.class) && name.endsWith("Async")
        || name.equals("parallelStream")
        || name.equals("parallel") && owner.isAssignableTo(BaseStream.class);
  }
}
