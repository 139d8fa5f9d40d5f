package io.corehub.hub;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.corehub.hub", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesHaveAnOrder =
      slices()
          .matching("io.corehub.hub.(*)..")
          .should()
          .beFreeOfCycles()
          .because("a package that two others need each way round cannot be understood alone");

  @ArchTest
  static final ArchRule agentsAreFoundNotImported =
      noClasses()
          .that()
          .resideInAPackage("io.corehub.hub..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.corehub.fabric..",
              "io.corehub.runtime..",
              "io.corehub.parquet..",
              "io.corehub.verify..")
          .because("the hub runs any agent on its class path; ask the SPI for what is missing");

  @ArchTest
  static final ArchRule othersInternalsStayTheirs =
      noClasses()
          .that()
          .resideInAPackage("io.corehub.hub..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.corehub.emulator.internal..", "io.corehub.onelake..")
          .because("what is internal may change any day; only an agent talks to OneLake");

  @ArchTest
  static final ArchRule sourcesKnowNoPipeline =
      noClasses()
          .that()
          .resideInAnyPackage("io.corehub.hub.stream..", "io.corehub.hub.debezium..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.corehub.hub.pipeline..", "io.corehub.hub.cli..", "io.corehub.hub.web..")
          .because("a source speaks to a SourceSink and can be tested with any");
}
