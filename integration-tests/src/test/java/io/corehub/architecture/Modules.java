package io.corehub.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The project's modules and the classes of their main code. Finds every module that the parent POM
 * lists, so a new one is under the rules from its first class on.
 */
final class Modules implements LocationProvider {

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern CLASSES = Pattern.compile(".*/([^/]+)/target/classes/.*");

  /** Measurements are no part of the product. */
  private static final Set<String> LEFT_OUT = Set.of("benchmarks");

  /** Which module's main code a class belongs to; empty for the JDK and for libraries. */
  static Optional<String> of(JavaClass javaClass) {
    return javaClass
        .getSource()
        .map(source -> CLASSES.matcher(source.getUri().toString()))
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1));
  }

  static DescribedPredicate<JavaClass> resideIn(String... modules) {
    List<String> names = List.of(modules);
    return DescribedPredicate.describe(
        "reside in " + String.join(", ", names), c -> of(c).filter(names::contains).isPresent());
  }

  @Override
  public Set<Location> get(Class<?> testClass) {
    Path root = root();
    Set<Location> locations = new HashSet<>();
    for (String module : listed(root)) {
      Path sources = root.resolve(module).resolve("src/main/java");
      Path classes = root.resolve(module).resolve("target/classes");
      if (LEFT_OUT.contains(module) || !holdsAny(sources, ".java")) {
        continue;
      }
      if (!holdsAny(classes, ".class")) {
        throw new IllegalStateException(
            "Module " + module + " is not compiled; build the project from its root.");
      }
      locations.add(Location.of(classes));
    }
    return locations;
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("agent-api")) ? here : here.getParent();
  }

  private static List<String> listed(Path root) {
    try {
      return MODULE
          .matcher(Files.readString(root.resolve("pom.xml")))
          .results()
          .map(result -> result.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holdsAny(Path folder, String ending) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(file -> file.getFileName().toString().endsWith(ending));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
