package io.corehub.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.verify.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RulesTest {

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aLandingZoneThatBreaksOneRuleIsToldOfThatRuleAlone(Rule rule) throws Exception {
    List<Violation> found = new LandingZoneVerifier().verify(Samples.of(rule));
    assertThat(found).extracting(Violation::rule).containsExactly(rule.id());
    Violation violation = found.get(0);
    assertThat(violation.severity()).isEqualTo(rule.severity());
    assertThat(violation.file()).isNotEmpty();
    assertThat(violation.message()).isNotBlank().endsWith(".");
  }

  @Test
  void idsAreUniqueAndOfOneShape() {
    List<String> ids = Arrays.stream(Rule.values()).map(Rule::id).toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("LZ-[A-Z][0-9]{1,2}"));
  }

  @Test
  void explanationsAreOneSentence() {
    assertThat(Arrays.stream(Rule.values()).map(Rule::explanation).collect(Collectors.toList()))
        .allMatch(text -> text.endsWith(".") && !text.contains("|"));
  }
}
