package io.corehub.lineage.naming;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values of the {@code fabric_onelake} dataset facet: where a table is in OneLake, as far as it
 * is known without asking Fabric. What is not known is absent, never null. Immutable.
 */
public final class OneLakeFacet {

  /** Name of the facet. */
  public static final String NAME = "fabric_onelake";

  private final Map<String, String> fields;

  private OneLakeFacet(Map<String, String> fields) {
    this.fields = Collections.unmodifiableMap(fields);
  }

  /**
   * A facet.
   *
   * @param itemType type of the Fabric item, such as {@code Warehouse}
   * @param itemName name of the item
   * @param workspace ID of the workspace the table is in
   * @param workspaceName its name
   * @param location where the table's files are, which also tells the item's ID
   * @return the facet
   */
  static OneLakeFacet of(
      String itemType,
      Optional<String> itemName,
      Optional<UUID> workspace,
      Optional<String> workspaceName,
      Optional<OneLakeLocation> location) {
    Map<String, String> fields = new LinkedHashMap<>();
    location.ifPresent(known -> fields.put("location", known.toString()));
    workspace.ifPresent(id -> fields.put("workspaceId", id.toString()));
    workspaceName.ifPresent(name -> fields.put("workspaceName", name));
    location.ifPresent(known -> fields.put("itemId", known.itemId().toString()));
    itemName.ifPresent(name -> fields.put("itemName", name));
    fields.put("itemType", itemType);
    return new OneLakeFacet(fields);
  }

  /**
   * The values.
   *
   * @return value by field name, in the order in which they are written
   */
  public Map<String, String> fields() {
    return fields;
  }

  /**
   * The facet as JSON.
   *
   * @return an object of the fields alone; a producer adds its own {@code _producer} and {@code
   *     _schemaURL}
   */
  public String toJson() {
    StringBuilder json = new StringBuilder("{");
    fields.forEach(
        (name, value) -> {
          json.append(json.length() > 1 ? "," : "");
          quote(json, name);
          json.append(':');
          quote(json, value);
        });
    return json.append('}').toString();
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OneLakeFacet && fields.equals(((OneLakeFacet) other).fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return toJson();
  }
}
