package io.corehub.lineage.naming;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where something lies in OneLake, by IDs alone: OneLake refuses paths that mix IDs and names.
 * Always under the one host every reader uses, whatever host it is written through. Immutable.
 */
public final class OneLakeLocation {

  private static final String HOST = "onelake.dfs.fabric.microsoft.com";

  private final UUID workspace;
  private final UUID item;
  private final String path;

  /**
   * A location.
   *
   * @param workspace ID of the workspace
   * @param item ID of the item
   * @param path path below the item, such as {@code Tables/sales/orders}
   */
  public OneLakeLocation(UUID workspace, UUID item, String path) {
    this.workspace = Objects.requireNonNull(workspace, "workspace");
    this.item = Objects.requireNonNull(item, "item");
    this.path = Objects.requireNonNull(path, "path");
  }

  /**
   * A table's folder.
   *
   * @param workspace ID of the workspace
   * @param item ID of the warehouse, lakehouse or mirrored database
   * @param schema SQL schema
   * @param table name of the table
   * @return {@code Tables/{schema}/{table}} of the item
   */
  public static OneLakeLocation ofTable(UUID workspace, UUID item, String schema, String table) {
    return new OneLakeLocation(workspace, item, "Tables/" + schema + "/" + table);
  }

  /**
   * The location as OpenLineage names it.
   *
   * @return {@code abfss://{workspace}@{host}} and {@code {item}/{path}}
   */
  public DatasetName dataset() {
    return new DatasetName("abfss://" + workspace + "@" + HOST, item + "/" + path);
  }

  /**
   * The item.
   *
   * @return its ID
   */
  public UUID itemId() {
    return item;
  }

  /**
   * The workspace.
   *
   * @return its ID
   */
  public UUID workspaceId() {
    return workspace;
  }

  /** The location as one path. */
  @Override
  public String toString() {
    return dataset().namespace() + "/" + dataset().name();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OneLakeLocation && other.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
