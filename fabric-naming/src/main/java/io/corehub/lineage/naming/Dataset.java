package io.corehub.lineage.naming;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dataset: its name, where its files are if that is known beside the name, and the values of its
 * {@code fabric_onelake} facet if it is in Fabric. Immutable.
 */
public final class Dataset {

  private final DatasetName name;
  private final Optional<DatasetName> symlink;
  private final Optional<OneLakeFacet> facet;

  private Dataset(DatasetName name, Optional<DatasetName> symlink, Optional<OneLakeFacet> facet) {
    this.name = Objects.requireNonNull(name, "name");
    this.symlink = Objects.requireNonNull(symlink, "symlink");
    this.facet = Objects.requireNonNull(facet, "facet");
  }

  /** Something outside Fabric. */
  static Dataset of(String namespace, String name) {
    return new Dataset(new DatasetName(namespace, name), Optional.empty(), Optional.empty());
  }

  /**
   * A table of Fabric that is named as SQL names it.
   *
   * @param address SQL address of its workspace
   * @param itemType type of the item that holds it, such as {@code Warehouse}
   * @param item name of the item
   * @param table {@code {schema}.{table}}
   * @param workspaceName name of the address's workspace
   * @param location where its files are; counts only if it is in the address's workspace
   */
  static Dataset ofSql(
      FabricSqlAddress address,
      String itemType,
      String item,
      String table,
      Optional<String> workspaceName,
      Optional<OneLakeLocation> location) {
    UUID workspace = address.workspaceId();
    Optional<OneLakeLocation> known = location.filter(l -> l.workspaceId().equals(workspace));
    return new Dataset(
        new DatasetName(address.namespace(), item + "." + table),
        known.map(OneLakeLocation::dataset),
        Optional.of(
            OneLakeFacet.of(
                itemType, Optional.of(item), Optional.of(workspace), workspaceName, known)));
  }

  /** Something in Fabric that is named by its location. */
  static Dataset ofLocation(
      OneLakeLocation location,
      String itemType,
      Optional<String> itemName,
      Optional<String> workspaceName) {
    return new Dataset(
        location.dataset(),
        Optional.empty(),
        Optional.of(
            OneLakeFacet.of(
                itemType,
                itemName,
                Optional.of(location.workspaceId()),
                workspaceName,
                Optional.of(location))));
  }

  /**
   * What it is called.
   *
   * @return namespace and name
   */
  public DatasetName name() {
    return name;
  }

  /**
   * Its other name, for a symlink of type {@code LOCATION}: where the files are in OneLake.
   *
   * @return empty if that is not known, or is the name itself
   */
  public Optional<DatasetName> symlink() {
    return symlink;
  }

  /**
   * What is known of where it is in Fabric.
   *
   * @return values of the {@code fabric_onelake} facet; empty if it is not in Fabric
   */
  public Optional<OneLakeFacet> facet() {
    return facet;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Dataset
        && name.equals(((Dataset) other).name)
        && symlink.equals(((Dataset) other).symlink)
        && facet.equals(((Dataset) other).facet);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, symlink, facet);
  }

  @Override
  public String toString() {
    return name
        + symlink.map(other -> " (" + other + ")").orElse("")
        + facet.map(values -> " " + values).orElse("");
  }
}
