package io.corehub.cyclereader;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.verify.Violation;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CycleRulesTest {

  private static final CycleVerifier VERIFIER = new CycleVerifier(GoodJob.DIRECTORIES);

  @Test
  void aGoodTreeBreaksNoRule() throws Exception {
    assertThat(VERIFIER.verify(GoodJob.incremental())).isEmpty();
    assertThat(VERIFIER.verify(GoodJob.combined())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(CycleRule.class)
  void aTreeThatBreaksOneRuleIsToldOfThatRuleAlone(CycleRule rule) throws Exception {
    List<Violation> found = VERIFIER.verify(Samples.of(rule));
    assertThat(found).as("%s", found).extracting(Violation::rule).containsExactly(rule.id());
    Violation violation = found.get(0);
    assertThat(violation.severity()).isEqualTo(rule.severity());
    assertThat(violation.file()).isNotEmpty();
    assertThat(violation.message()).isNotBlank().endsWith(".");
  }

  @Test
  void idsAreUniqueAndOfOneShape() {
    assertThat(Arrays.stream(CycleRule.values()).map(CycleRule::id))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("CY-[A-Z][0-9]{1,2}"));
  }

  @Test
  void explanationsAreOneSentence() {
    assertThat(Arrays.stream(CycleRule.values()).map(CycleRule::explanation))
        .allMatch(text -> text.endsWith(".") && !text.contains("|"));
  }

  @Test
  void theOneJobOfAFolderIsFound() throws Exception {
    assertThat(new CycleVerifier().verify(GoodJob.incremental())).isEmpty();
    assertThat(new CycleVerifier().agentId()).isEqualTo("cycle-files");
  }
}
