package io.corehub.lineage.naming;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a Spark job reads and writes through Microsoft's connector ({@code synapsesql}), worked out
 * from the job's configuration and the connector's options alone. Stateless.
 *
 * <p>Of the configuration map these count:
 *
 * <ul>
 *   <li>{@code spark.datawarehouse.{warehouse}.sqlendpoint}: the SQL address, as a person sets it;
 *   <li>{@code trident.tenant.id}, {@code trident.workspace.id}, {@code trident.workspace.name}:
 *       where the notebook runs, as Fabric sets them;
 *   <li>{@code WorkspaceId}, {@code DatawarehouseId}: options of the connector, in any case, as
 *       Spark takes them.
 * </ul>
 *
 * An empty value counts as none.
 */
public final class FabricConnector {

  private static final String ITEM_TYPE = "Warehouse";

  private FabricConnector() {}

  /**
   * The table a job writes. The save that Spark sees goes to a temporary folder and does not name
   * the address, so it is, in this order, the one that is set for the warehouse, or the one built
   * from the tenant's and the workspace's IDs. An address that is set but is not that of a Fabric
   * workspace gives nothing: it is never replaced by a guess.
   *
   * @param table {@code {warehouse}.{schema}.{table}}
   * @param configuration configuration and options by name
   * @return the table; empty if its address cannot be told, and then the write has no output
   */
  public static Optional<Dataset> written(String table, Map<String, String> configuration) {
    Optional<SqlName> name = SqlName.parse(table);
    return name.flatMap(
        known ->
            writtenTo(known.item(), configuration)
                .map(address -> dataset(address, known, configuration)));
  }

  private static Optional<FabricSqlAddress> writtenTo(
      String warehouse, Map<String, String> configuration) {
    Optional<String> set =
        value(configuration, "spark.datawarehouse." + warehouse + ".sqlendpoint");
    if (set.isPresent()) {
      return FabricSqlAddress.parse(set.get());
    }
    Optional<UUID> tenant = value(configuration, "trident.tenant.id").flatMap(Guids::read);
    Optional<UUID> workspace =
        option(configuration, "WorkspaceId")
            .or(() -> value(configuration, "trident.workspace.id"))
            .flatMap(Guids::read);
    return tenant.flatMap(t -> workspace.map(w -> FabricSqlAddress.of(t, w)));
  }

  /**
   * The table a job reads. The connector reads over an ordinary SQL Server connection, whose URL
   * has the address.
   *
   * @param url JDBC URL of the connection
   * @param table {@code {schema}.{table}}, or with the warehouse in front
   * @param configuration configuration and options by name
   * @return the table; empty if the URL's host is not the address of a Fabric workspace, and then
   *     the table keeps its {@code sqlserver://} name
   */
  public static Optional<Dataset> read(
      String url, String table, Map<String, String> configuration) {
    Optional<SqlServerUrl> server = SqlServerUrl.parse(url);
    return server.flatMap(
        known ->
            known
                .fabricAddress()
                .flatMap(
                    address ->
                        SqlName.parse(table, known.database())
                            .map(name -> dataset(address, name, configuration))));
  }

  private static Dataset dataset(
      FabricSqlAddress address, SqlName name, Map<String, String> configuration) {
    UUID workspace = address.workspaceId();
    boolean elsewhere =
        option(configuration, "WorkspaceId")
            .filter(id -> !Guids.read(id).equals(Optional.of(workspace)))
            .isPresent();
    Optional<OneLakeLocation> location =
        option(configuration, "DatawarehouseId")
            .flatMap(Guids::read)
            .filter(item -> !elsewhere)
            .map(item -> OneLakeLocation.ofTable(workspace, item, name.schema(), name.table()));
    boolean here =
        value(configuration, "trident.workspace.id")
            .flatMap(Guids::read)
            .filter(workspace::equals)
            .isPresent();
    Optional<String> workspaceName =
        here ? value(configuration, "trident.workspace.name") : Optional.empty();
    return Dataset.ofSql(
        address,
        ITEM_TYPE,
        name.item(),
        name.schema() + "." + name.table(),
        workspaceName,
        location);
  }

  private static Optional<String> value(Map<String, String> configuration, String name) {
    return Optional.ofNullable(configuration.get(name)).filter(text -> !text.isBlank());
  }

  private static Optional<String> option(Map<String, String> configuration, String name) {
    return value(configuration, name)
        .or(
            () ->
                configuration.entrySet().stream()
                    .filter(e -> e.getKey().toLowerCase(Locale.ROOT).equals(lower(name)))
                    .map(Map.Entry::getValue)
                    .filter(text -> text != null && !text.isBlank())
                    .findFirst());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
