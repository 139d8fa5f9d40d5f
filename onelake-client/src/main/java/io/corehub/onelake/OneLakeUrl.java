package io.corehub.onelake;

import java.util.List;
import java.util.Optional;

/**
 * A place in OneLake, or in a storage account of the same kind: a host, a workspace or file system,
 * an item, and a path below. Immutable.
 *
 * @param host in lower case, always the DFS host
 * @param port 443 unless the host is one that a person allowed with another port
 * @param fileSystem the workspace (GUID or name), decoded; in a storage account the file system
 * @param item the item (GUID, or name with its type as suffix), decoded; empty for a file system
 *     without items
 * @param segments the decoded segments below item or file system; may be empty
 */
public record OneLakeUrl(
    String host, int port, String fileSystem, Optional<String> item, List<String> segments) {

  public OneLakeUrl {
    segments = List.copyOf(segments);
  }

  /**
   * Reads a URL as people paste it: {@code https} or {@code abfss}, the blob host, quotes and
   * blanks around it, a missing scheme, doubled or trailing slashes, a query string or fragment
   * (dropped, never shown).
   *
   * @throws InvalidValueException when it is no such URL, or its host may not receive a token; the
   *     message says what to paste
   */
  public static OneLakeUrl parse(String text, HostPolicy hosts) {
    return UrlText.parse(text, hosts);
  }

  /** The path below item or file system as {@link DfsClient} takes it; empty when there is none. */
  public String path() {
    return String.join("/", segments);
  }

  /** The same place with another path below item or file system. */
  public OneLakeUrl withSegments(List<String> below) {
    return new OneLakeUrl(host, port, fileSystem, item, below);
  }

  /** {@code https://host} with the port when it is not 443. */
  public String endpoint() {
    return "https://" + authority();
  }

  /** The host with the port when it is not 443. */
  public String authority() {
    return port == 443 ? host : host + ":" + port;
  }

  /** The whole URL, encoded, without a trailing slash. */
  @Override
  public String toString() {
    return UrlText.format(this);
  }
}
