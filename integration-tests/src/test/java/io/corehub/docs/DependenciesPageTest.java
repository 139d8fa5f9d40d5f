package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** docs/dependencies.md names what the POMs name, and says of each whether it ships. */
class DependenciesPageTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern LINE =
      Pattern.compile("(?m)^\\| `([^`:]+:[^`]+)` \\| (yes|no) \\| (\\S.*\\S) \\|$");

  /** Modules whose compile scope is no part of the product. */
  private static final Set<String> NOT_SHIPPED =
      Set.of("agent-testkit", "benchmarks", "integration-tests");

  @Test
  void thePageNamesEveryDirectDependencyAndNoOther() throws Exception {
    assertThat(onPage()).isEqualTo(inPoms());
  }

  private static Map<String, Boolean> onPage() throws IOException {
    Map<String, Boolean> page = new TreeMap<>();
    Matcher lines = LINE.matcher(Files.readString(ROOT.resolve("docs/dependencies.md")));
    while (lines.find()) {
      assertThat(page.put(lines.group(1), lines.group(2).equals("yes")))
          .as("%s stands on the page twice", lines.group(1))
          .isNull();
    }
    return page;
  }

  private static Map<String, Boolean> inPoms() throws Exception {
    Element parent = pom(ROOT.resolve("pom.xml"));
    List<Element> modules = new ArrayList<>();
    modules.add(parent);
    for (Element module : children(child(parent, "modules"), "module")) {
      modules.add(pom(ROOT.resolve(module.getTextContent().strip()).resolve("pom.xml")));
    }
    Map<String, Boolean> found = new TreeMap<>();
    for (Element module : modules) {
      boolean ships = !NOT_SHIPPED.contains(text(module, "artifactId"));
      for (Element dependency : children(child(module, "dependencies"), "dependency")) {
        String group = text(dependency, "groupId");
        if (!group.equals("io.corehub")) {
          boolean shipped =
              ships && Set.of("", "compile", "runtime").contains(text(dependency, "scope"));
          found.merge(group + ":" + text(dependency, "artifactId"), shipped, Boolean::logicalOr);
        }
      }
    }
    return found;
  }

  private static Element pom(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(in)
          .getDocumentElement();
    }
  }

  private static Element child(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? parent.getOwnerDocument().createElement(name) : found.get(0);
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static String text(Element parent, String name) {
    return child(parent, name).getTextContent().strip();
  }
}
