package io.corehub.lineage;

import io.corehub.agent.TableShape;
import io.corehub.agent.TableShape.TargetColumn;
import io.corehub.agent.observe.SourceOrigin;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.TableId;
import io.corehub.lineage.naming.Dataset;
import io.corehub.lineage.naming.DatasetName;
import io.corehub.lineage.naming.OneLakeFacet;
import io.corehub.lineage.naming.SourceDatabase;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineage.DatasetFacetsBuilder;
import io.openlineage.client.OpenLineage.RunEvent;
import java.net.URI;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts events together: who ran, what it read and what it wrote, with the facets that are known.
 * There is never a {@code lifecycleStateChange}: what a file of changes does to a table is not one.
 * Confined to one caller at a time.
 */
final class EventFactory {

  private static final Logger LOG = LoggerFactory.getLogger(EventFactory.class);
  private static final String ENGINE = "core-hub";
  private static final String INTEGRATION = "CORE_HUB";
  private static final String LANDING_ZONE = "/Files/LandingZone";

  private final LineageConfig config;
  private final SourceOrigin origin;
  private final Run pipeline;
  private final Versions versions;
  private final OpenLineage openLineage;
  private final Set<String> warned = new HashSet<>();
  private boolean fabricFacet;

  /**
   * A factory of one run of a pipeline.
   *
   * @param config settings
   * @param origin where the tables come from
   * @param pipeline the run of the pipeline, parent of all others
   * @param versions what runs
   */
  EventFactory(LineageConfig config, SourceOrigin origin, Run pipeline, Versions versions) {
    this.config = config;
    this.origin = origin;
    this.pipeline = pipeline;
    this.versions = versions;
    this.fabricFacet = config.fabricFacet();
    this.openLineage = new OpenLineage(URI.create(versions.producer()));
  }

  /** Namespace of the jobs. */
  String namespace() {
    return config.jobNamespace();
  }

  void leaveFabricFacetOut() {
    fabricFacet = false;
  }

  RunEvent event(String namespace, Emission emission) {
    Optional<Dataset> input = emission.facts().flatMap(this::source);
    Optional<Dataset> output = emission.facts().flatMap(this::target);
    return openLineage
        .newRunEventBuilder()
        .eventType(emission.type())
        .eventTime(emission.at().atZone(ZoneOffset.UTC))
        .run(run(emission))
        .job(job(namespace, emission.run().job()))
        .inputs(
            input
                .map(dataset -> List.of(input(dataset, emission.facts().orElseThrow())))
                .orElse(List.of()))
        .outputs(output.map(dataset -> List.of(output(dataset, input, emission))).orElse(List.of()))
        .build();
  }

  private OpenLineage.Run run(Emission emission) {
    OpenLineage.RunFacetsBuilder facets =
        openLineage
            .newRunFacetsBuilder()
            .processing_engine(
                openLineage.newProcessingEngineRunFacet(
                    versions.product(), ENGINE, versions.client()));
    if (emission.facts().isPresent()) {
      facets.parent(
          openLineage
              .newParentRunFacetBuilder()
              .run(openLineage.newParentRunFacetRunBuilder().runId(pipeline.id()).build())
              .job(
                  openLineage
                      .newParentRunFacetJobBuilder()
                      .namespace(config.jobNamespace())
                      .name(pipeline.job().name())
                      .build())
              .build());
    }
    emission
        .error()
        .ifPresent(
            message ->
                facets.errorMessage(openLineage.newErrorMessageRunFacet(message, "Java", null)));
    return openLineage.newRun(emission.run().id(), facets.build());
  }

  private OpenLineage.Job job(String namespace, JobKey job) {
    OpenLineage.JobFacetsBuilder facets =
        openLineage
            .newJobFacetsBuilder()
            .jobType(
                openLineage
                    .newJobTypeJobFacetBuilder()
                    .processingType(job.kind().processing)
                    .integration(INTEGRATION)
                    .jobType(job.kind().type)
                    .emissionPattern(pattern(job.kind()))
                    .build());
    if (!config.tags().isEmpty()) {
      facets.tags(
          openLineage.newTagsJobFacet(
              config.tags().entrySet().stream()
                  .map(
                      tag ->
                          openLineage.newTagsJobFacetFields(tag.getKey(), tag.getValue(), "USER"))
                  .toList()));
    }
    if (!config.owners().isEmpty()) {
      facets.ownership(
          openLineage.newOwnershipJobFacet(
              config.owners().entrySet().stream()
                  .map(
                      owner ->
                          openLineage.newOwnershipJobFacetOwners(
                              owner.getKey(), owner.getValue().isEmpty() ? null : owner.getValue()))
                  .toList()));
    }
    return openLineage.newJob(namespace, job.name(), facets.build());
  }

  private OpenLineage.JobTypeJobFacetEmissionPattern pattern(JobKey.Kind kind) {
    return switch (kind) {
      case PIPELINE ->
          openLineage.newJobTypeJobFacetEmissionPattern("EVENT_BASED", "ACCUMULATIVE", null);
      case SNAPSHOT ->
          openLineage.newJobTypeJobFacetEmissionPattern(
              "PERIODIC", "ACCUMULATIVE", config.interval().toSeconds());
      case CHANGES ->
          openLineage.newJobTypeJobFacetEmissionPattern(
              "PERIODIC", "COMPLETE_SNAPSHOT", config.interval().toSeconds());
    };
  }

  // --- datasets --------------------------------------------------------------------------------

  private Optional<SourceDatabase> database(TableFacts facts) {
    if (origin.url().isPresent()) {
      return SourceDatabase.parse(origin.url().get());
    }
    return Optional.of(
        SourceDatabase.ofChangeStream(
            facts.timeline().isEmpty() ? config.pipeline() : facts.timeline()));
  }

  private Optional<Dataset> source(TableFacts facts) {
    TableId table = facts.table();
    return database(facts)
        .map(
            database ->
                database.table(table.schema().or(origin::schemaOfSchemaless), table.name()));
  }

  private Optional<Dataset> target(TableFacts facts) {
    Optional<TableShape> shape = facts.shape();
    if (shape.isEmpty()) {
      return Optional.empty();
    }
    String location = shape.get().location();
    Optional<Dataset> dataset =
        config.naming().table(location, facts.table().schema(), facts.table().name());
    if (dataset.isEmpty()) {
      config
          .naming()
          .obstacle(location)
          .filter(warned::add)
          .ifPresent(why -> LOG.warn("{}: lineage has no output: {}", config.pipeline(), why));
    }
    return dataset;
  }

  private OpenLineage.InputDataset input(Dataset dataset, TableFacts facts) {
    DatasetFacetsBuilder facets = openLineage.newDatasetFacetsBuilder();
    facets.datasetType(openLineage.newDatasetTypeDatasetFacet("TABLE", null));
    database(facts)
        .ifPresent(
            database ->
                facets.dataSource(
                    dataSource(database.database().orElse(database.namespace()), database.uri())));
    facts.shape().ifPresent(shape -> facets.schema(sourceSchema(shape)));
    addFabric(facets, dataset);
    return openLineage
        .newInputDatasetBuilder()
        .namespace(dataset.name().namespace())
        .name(dataset.name().name())
        .facets(facets.build())
        .build();
  }

  private OpenLineage.OutputDataset output(
      Dataset dataset, Optional<Dataset> input, Emission emission) {
    TableShape shape = emission.facts().flatMap(TableFacts::shape).orElseThrow();
    DatasetFacetsBuilder facets = openLineage.newDatasetFacetsBuilder();
    boolean table = shape.location().contains(LANDING_ZONE);
    facets.datasetType(openLineage.newDatasetTypeDatasetFacet(table ? "TABLE" : "FILE", null));
    facets.schema(targetSchema(shape));
    facets.dataSource(
        dataSource(
            dataset
                .facet()
                .map(facet -> facet.fields().get("itemName"))
                .orElse(dataset.name().namespace()),
            dataset.name().namespace()));
    if (table) {
      facets.storage(openLineage.newStorageDatasetFacet("delta", "parquet"));
    }
    dataset.symlink().ifPresent(link -> facets.symlinks(symlink(link)));
    if (config.columnLineage() && input.isPresent()) {
      facets.columnLineage(columns(shape, input.get().name()));
    }
    addFabric(facets, dataset);
    OpenLineage.OutputDatasetBuilder output =
        openLineage
            .newOutputDatasetBuilder()
            .namespace(dataset.name().namespace())
            .name(dataset.name().name())
            .facets(facets.build());
    if (!emission.statistics().isNone()) {
      output.outputFacets(
          openLineage
              .newOutputDatasetOutputFacetsBuilder()
              .outputStatistics(
                  openLineage.newOutputStatisticsOutputDatasetFacet(
                      emission.statistics().rows(),
                      emission.statistics().bytes(),
                      emission.statistics().files()))
              .build());
    }
    return output.build();
  }

  private OpenLineage.DatasourceDatasetFacet dataSource(String name, String uri) {
    return openLineage.newDatasourceDatasetFacet(name, uri(uri));
  }

  /** A database's name may hold what an address must not. */
  private static URI uri(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      return URI.create(text.replaceAll("[^A-Za-z0-9:/@._~,\\[\\]-]", "_"));
    }
  }

  private OpenLineage.SymlinksDatasetFacet symlink(DatasetName link) {
    return openLineage
        .newSymlinksDatasetFacetBuilder()
        .identifiers(
            List.of(
                openLineage.newSymlinksDatasetFacetIdentifiers(
                    link.namespace(), link.name(), "LOCATION")))
        .build();
  }

  private void addFabric(DatasetFacetsBuilder facets, Dataset dataset) {
    if (fabricFacet) {
      dataset
          .facet()
          .ifPresent(
              values -> {
                OpenLineage.DatasetFacet facet = openLineage.newDatasetFacet();
                facet.getAdditionalProperties().putAll(values.fields());
                facets.put(OneLakeFacet.NAME, facet);
              });
    }
  }

  private OpenLineage.SchemaDatasetFacet sourceSchema(TableShape shape) {
    List<OpenLineage.SchemaDatasetFacetFields> fields = new ArrayList<>();
    for (Column column : shape.source().columns()) {
      fields.add(field(column.name(), column.type().toString(), fields.size() + 1L));
    }
    return openLineage.newSchemaDatasetFacet(fields);
  }

  private OpenLineage.SchemaDatasetFacet targetSchema(TableShape shape) {
    List<OpenLineage.SchemaDatasetFacetFields> fields = new ArrayList<>();
    for (TargetColumn column : shape.columns()) {
      fields.add(field(column.name(), column.type(), fields.size() + 1L));
    }
    return openLineage.newSchemaDatasetFacet(fields);
  }

  private OpenLineage.SchemaDatasetFacetFields field(String name, String type, long position) {
    return openLineage
        .newSchemaDatasetFacetFieldsBuilder()
        .name(name)
        .type(type)
        .ordinal_position(position)
        .build();
  }

  private OpenLineage.ColumnLineageDatasetFacet columns(TableShape shape, DatasetName source) {
    OpenLineage.ColumnLineageDatasetFacetFieldsBuilder fields =
        openLineage.newColumnLineageDatasetFacetFieldsBuilder();
    for (TargetColumn column : shape.columns()) {
      column
          .source()
          .ifPresent(
              from ->
                  fields.put(
                      column.name(),
                      openLineage
                          .newColumnLineageDatasetFacetFieldsAdditionalBuilder()
                          .inputFields(List.of(inputField(source, from)))
                          .build()));
    }
    return openLineage.newColumnLineageDatasetFacetBuilder().fields(fields.build()).build();
  }

  private OpenLineage.InputField inputField(DatasetName source, String column) {
    return openLineage
        .newInputFieldBuilder()
        .namespace(source.namespace())
        .name(source.name())
        .field(column)
        .transformations(
            List.of(
                openLineage
                    .newInputFieldTransformationsBuilder()
                    .type("DIRECT")
                    .subtype("IDENTITY")
                    .description("")
                    .masking(false)
                    .build()))
        .build();
  }
}
