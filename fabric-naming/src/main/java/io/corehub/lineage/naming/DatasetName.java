package io.corehub.lineage.naming;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What OpenLineage calls a dataset by: a namespace and a name in it. Immutable. */
public final class DatasetName {

  private final String namespace;
  private final String name;

  /**
   * A name.
   *
   * @param namespace namespace, such as {@code postgres://db.example.com:5432}
   * @param name name in it, such as {@code shop.sales.orders}
   */
  public DatasetName(String namespace, String name) {
    this.namespace = Objects.requireNonNull(namespace, "namespace");
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * The namespace.
   *
   * @return not empty
   */
  public String namespace() {
    return namespace;
  }

  /**
   * The name in it.
   *
   * @return not empty
   */
  public String name() {
    return name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DatasetName
        && namespace.equals(((DatasetName) other).namespace)
        && name.equals(((DatasetName) other).name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(namespace, name);
  }

  @Override
  public String toString() {
    return namespace + " / " + name;
  }
}
