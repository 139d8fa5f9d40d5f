package io.corehub.lineage.spark;

import io.corehub.lineage.naming.Dataset;
import io.corehub.lineage.naming.DatasetName;
import io.corehub.lineage.naming.OneLakeFacet;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineage.DatasetFacet;
import io.openlineage.client.OpenLineage.DatasetFacetsBuilder;
import io.openlineage.client.OpenLineage.InputDataset;
import io.openlineage.client.OpenLineage.OutputDataset;
import io.openlineage.client.OpenLineage.SchemaDatasetFacetFields;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Puts datasets of a Fabric warehouse together. */
final class DatasetFacets {

  /** Facet that tells the transformer which folder a write was staged in. */
  static final String STAGED = "corehub_staged";

  /** Field of it: the folder's URI. */
  static final String FOLDER = "folder";

  /** Namespace of an output that stands for none: the write's address cannot be told. */
  static final String NO_OUTPUT = "corehub-no-output";

  private final OpenLineage openLineage;

  DatasetFacets(OpenLineage openLineage) {
    this.openLineage = openLineage;
  }

  InputDataset input(Dataset dataset, StructType schema) {
    return openLineage
        .newInputDatasetBuilder()
        .namespace(dataset.name().namespace())
        .name(dataset.name().name())
        .facets(facets(dataset, schema).build())
        .build();
  }

  /** The table, or a placeholder if it has no name; the transformer takes that out. */
  OutputDataset output(Optional<Dataset> dataset, StructType schema, URI folder) {
    DatasetFacetsBuilder facets =
        dataset.map(known -> facets(known, schema)).orElseGet(openLineage::newDatasetFacetsBuilder);
    DatasetFacet staged = openLineage.newDatasetFacet();
    staged.getAdditionalProperties().put(FOLDER, folder.toString());
    facets.put(STAGED, staged);
    DatasetName name =
        dataset.map(Dataset::name).orElse(new DatasetName(NO_OUTPUT, folder.toString()));
    return openLineage
        .newOutputDatasetBuilder()
        .namespace(name.namespace())
        .name(name.name())
        .facets(facets.build())
        .build();
  }

  private DatasetFacetsBuilder facets(Dataset dataset, StructType schema) {
    DatasetFacetsBuilder facets = openLineage.newDatasetFacetsBuilder();
    List<SchemaDatasetFacetFields> fields = new ArrayList<>();
    for (StructField field : schema.fields()) {
      fields.add(
          openLineage
              .newSchemaDatasetFacetFieldsBuilder()
              .name(field.name())
              .type(field.dataType().typeName())
              .build());
    }
    facets.schema(openLineage.newSchemaDatasetFacet(fields));
    facets.dataSource(
        openLineage.newDatasourceDatasetFacet(
            dataset.name().namespace(), URI.create(dataset.name().namespace())));
    dataset
        .symlink()
        .ifPresent(
            link ->
                facets.symlinks(
                    openLineage.newSymlinksDatasetFacet(
                        Collections.singletonList(
                            openLineage.newSymlinksDatasetFacetIdentifiers(
                                link.namespace(), link.name(), "LOCATION")))));
    dataset
        .facet()
        .ifPresent(
            values -> {
              DatasetFacet facet = openLineage.newDatasetFacet();
              facet.getAdditionalProperties().putAll(values.fields());
              facets.put(OneLakeFacet.NAME, facet);
            });
    return facets;
  }
}
