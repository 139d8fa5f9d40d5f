package io.corehub.lineage.naming;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SQL address of a Fabric workspace, shared by all warehouses, SQL endpoints and mirrored
 * databases in it: {@code {tenant}-{workspace}.datawarehouse.fabric.microsoft.com}, each part being
 * a GUID in base32. Always in one spelling: lower case, without the {@code .z{xx}} label that
 * Fabric sometimes adds, without the default port. Immutable.
 *
 * <p>Microsoft documents the two parts but not their byte order, which is that of .NET. Addresses
 * for guests of another organization have a third part and are not taken for a workspace's address.
 */
public final class FabricSqlAddress {

  /** Port that is left out of the spelling. */
  public static final int DEFAULT_PORT = 1433;

  private static final String SUFFIX = ".datawarehouse.fabric.microsoft.com";

  /** Tenant, workspace, and a port behind a colon or, as SQL Server's tools write it, a comma. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:tcp:)?([a-z2-7]{26})-([a-z2-7]{26})(?:\\.z[0-9a-f]{2})?"
              + Pattern.quote(SUFFIX)
              + "\\.?(?:[:,]([0-9]{1,5}))?");

  private final UUID tenant;
  private final UUID workspace;
  private final int port;

  private FabricSqlAddress(UUID tenant, UUID workspace, int port) {
    this.tenant = tenant;
    this.workspace = workspace;
    this.port = port;
  }

  /**
   * The address of a workspace.
   *
   * @param tenant ID of the tenant
   * @param workspace ID of the workspace
   * @return its address, with the default port
   */
  public static FabricSqlAddress of(UUID tenant, UUID workspace) {
    return new FabricSqlAddress(tenant, workspace, DEFAULT_PORT);
  }

  /**
   * Recognises an address however it is written: in any case, with the {@code .z{xx}} label, a
   * trailing dot, a {@code tcp:} in front, blanks around it, or a port behind a colon or a comma.
   *
   * @param text host or host and port; may be null
   * @return the address; empty if it is not that of a Fabric workspace
   */
  public static Optional<FabricSqlAddress> parse(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    Matcher parts = ADDRESS.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      return Optional.empty();
    }
    int port = parts.group(3) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(3));
    Optional<UUID> tenant = GuidBase32.decode(parts.group(1));
    Optional<UUID> workspace = GuidBase32.decode(parts.group(2));
    return tenant.isPresent() && workspace.isPresent() && port >= 1 && port <= 65_535
        ? Optional.of(new FabricSqlAddress(tenant.get(), workspace.get(), port))
        : Optional.empty();
  }

  /**
   * The tenant the address belongs to.
   *
   * @return its ID
   */
  public UUID tenantId() {
    return tenant;
  }

  /**
   * The workspace whose items it reaches.
   *
   * @return its ID
   */
  public UUID workspaceId() {
    return workspace;
  }

  /**
   * The namespace of the workspace's tables.
   *
   * @return {@code fabric-warehouse://} and the address
   */
  public String namespace() {
    return "fabric-warehouse://" + this;
  }

  /** The host, and the port unless it is the default one. */
  @Override
  public String toString() {
    return GuidBase32.encode(tenant)
        + "-"
        + GuidBase32.encode(workspace)
        + SUFFIX
        + (port == DEFAULT_PORT ? "" : ":" + port);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FabricSqlAddress && other.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
