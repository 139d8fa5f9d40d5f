package io.corehub.lineage.naming;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Names tables by the place their files are written to. Immutable.
 *
 * <p>A table that lands in a mirrored database is {@code fabric-warehouse://{SQL address}} / {@code
 * {database}.{schema}.{table}}, with its folder in OneLake as symlink. Where the database's name is
 * not known, the folder is the name. Files elsewhere in OneLake, in a storage account or in a
 * folder of this machine are named by their path. An address is never guessed: without one, a table
 * has no name.
 */
public final class TargetNaming {

  private final Optional<String> sqlEndpoint;
  private final Optional<String> tenantId;
  private final Optional<String> databaseName;
  private final Optional<String> workspaceName;
  private final String defaultSchema;

  /**
   * What is known beside the place. An empty text counts as none.
   *
   * @param sqlEndpoint SQL address of the workspace; wins over the one built from IDs
   * @param tenantId ID of Fabric's tenant
   * @param databaseName name of the mirrored database
   * @param workspaceName name of the workspace the files are written to
   * @param defaultSchema schema of tables that have none
   */
  public TargetNaming(
      Optional<String> sqlEndpoint,
      Optional<String> tenantId,
      Optional<String> databaseName,
      Optional<String> workspaceName,
      String defaultSchema) {
    this.sqlEndpoint = given(sqlEndpoint);
    this.tenantId = given(tenantId);
    this.databaseName = given(databaseName);
    this.workspaceName = given(workspaceName);
    this.defaultSchema = Objects.requireNonNull(defaultSchema, "defaultSchema");
  }

  private static Optional<String> given(Optional<String> text) {
    return text.map(String::strip).filter(value -> !value.isEmpty());
  }

  /**
   * Names a table.
   *
   * @param location URL of the folder its files are written to
   * @param schema its schema
   * @param table its name
   * @return the dataset; empty if it cannot be named
   */
  public Optional<Dataset> table(String location, Optional<String> schema, String table) {
    return TargetPlace.parse(location).flatMap(place -> table(place, schema, table));
  }

  private Optional<Dataset> table(TargetPlace place, Optional<String> schema, String table) {
    switch (place.kind()) {
      case LANDING_ZONE:
        return mirrored(place, schema.or(place::schemaFolder).orElse(defaultSchema), table);
      case ONELAKE_FILES:
        return location(place, place.pathInItem())
            .map(files -> Dataset.ofLocation(files, "Lakehouse", place.itemName(), workspaceName));
      default:
        return Optional.of(place.dataset());
    }
  }

  private Optional<Dataset> mirrored(TargetPlace place, String schema, String table) {
    String type = "MirroredDatabase";
    Optional<OneLakeLocation> folder = location(place, "Tables/" + schema + "/" + table);
    Optional<String> database = databaseName.or(place::itemName);
    if (sqlEndpoint.isPresent() && address(place).isEmpty()) {
      return Optional.empty();
    }
    if (database.isEmpty()) {
      return folder.map(known -> Dataset.ofLocation(known, type, Optional.empty(), workspaceName));
    }
    return address(place)
        .map(
            address ->
                Dataset.ofSql(
                    address,
                    type,
                    database.get(),
                    schema + "." + table,
                    workspaceName.filter(name -> isIn(place, address.workspaceId())),
                    folder));
  }

  private static boolean isIn(TargetPlace place, UUID workspace) {
    return place.workspaceId().filter(workspace::equals).isPresent();
  }

  private Optional<FabricSqlAddress> address(TargetPlace place) {
    if (sqlEndpoint.isPresent()) {
      return FabricSqlAddress.parse(sqlEndpoint.get());
    }
    return tenantId
        .flatMap(Guids::read)
        .flatMap(tenant -> place.workspaceId().map(w -> FabricSqlAddress.of(tenant, w)));
  }

  private static Optional<OneLakeLocation> location(TargetPlace place, String path) {
    return place
        .workspaceId()
        .flatMap(ws -> place.itemId().map(item -> new OneLakeLocation(ws, item, path)));
  }

  /**
   * Why tables at a place have no name, and what to set.
   *
   * @param location URL of a folder that files are written to
   * @return one sentence; empty if they have one
   */
  public Optional<String> obstacle(String location) {
    Optional<TargetPlace> place = TargetPlace.parse(location);
    if (place.isEmpty()) {
      return Optional.of("'" + location + "' is not a place that OpenLineage has names for.");
    }
    if (table(place.get(), Optional.empty(), "t").isPresent()) {
      return Optional.empty();
    }
    if (place.get().kind() == TargetPlace.Kind.ONELAKE_FILES) {
      return Optional.of(
          "the URL of the target has names of workspace and lakehouse; files in OneLake are named by"
              + " their IDs: use those in the URL.");
    }
    if (sqlEndpoint.isPresent()) {
      return Optional.of(
          "'sqlEndpoint' is '"
              + sqlEndpoint.get()
              + "', which is not the SQL address of a Fabric workspace; correct it or leave it out.");
    }
    return Optional.of(
        place.get().workspaceId().isEmpty()
            ? "the URL of the landing zone has the name of the workspace, and the SQL address is built"
                + " from its ID: use IDs in the URL, or set 'sqlEndpoint'."
            : "the SQL address is built from the ID of the tenant, which is not known: set 'tenantId'"
                + " to a GUID, or set 'sqlEndpoint'.");
  }
}
