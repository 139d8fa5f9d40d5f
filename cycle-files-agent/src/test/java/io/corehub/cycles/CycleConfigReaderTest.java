package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.settings.Settings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleConfigReaderTest {

  private final Settings settings = CycleSettings.AGENT.parse(Map.of("storageUrl", "file:/data"));

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          sales,            sales
          Größe 2,          Größe 2
          ../../etc/passwd, %2E.%2F..%2Fetc%2Fpasswd
          100 %,            100 %25
          a{TableName}b,    a{TableName}b
          _hidden,          %5Fhidden
          """)
  void anyPipelineHasAJobFolderOfItsOwn(String pipeline, String folder) {
    CycleLayout layout = CycleConfigReader.read(settings, pipeline, Map.of()).layout();

    assertThat(layout.jobFolder()).isEqualTo(folder);
    assertThat(layout.completedRoot()).isEqualTo(folder + "/cycle/completed");
    assertThat(layout.dataRoot()).startsWith(folder + "/data");
  }
}
