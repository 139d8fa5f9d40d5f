package io.corehub.onelake;

/**
 * The landing zone of a mirrored database: a {@link OneLakeUrl} with an item, whose path begins
 * with {@code Files/LandingZone}. A deeper path is a prefix below the landing zone. Immutable.
 *
 * <p>Workspace and item are both GUIDs, or both names; a named item carries its {@code
 * .MirroredDatabase} suffix.
 */
public record LandingZoneUrl(OneLakeUrl url) {

  /** The host used when only workspace and item are given. */
  public static final String DEFAULT_HOST = "https://onelake.dfs.fabric.microsoft.com";

  public LandingZoneUrl {
    url = UrlText.landingZone(url);
  }

  /**
   * Reads a landing zone URL in any shape that {@link OneLakeUrl#parse} takes.
   *
   * @throws InvalidValueException when it is not a landing zone URL; the message says what to paste
   */
  public static LandingZoneUrl parse(String text, HostPolicy hosts) {
    return new LandingZoneUrl(UrlText.parse(text, hosts));
  }

  /**
   * The landing zone of a mirrored database given by its parts.
   *
   * @param host a host or {@code https://} URL of one; blank for {@link #DEFAULT_HOST}
   * @param workspace GUID or name
   * @param mirroredDatabase GUID or name; a name gets its {@code .MirroredDatabase} suffix when it
   *     lacks it
   * @throws InvalidValueException when a part cannot be used, or a GUID is mixed with a name
   */
  public static LandingZoneUrl of(
      String host, String workspace, String mirroredDatabase, HostPolicy hosts) {
    return new LandingZoneUrl(UrlText.landingZone(host, workspace, mirroredDatabase, hosts));
  }

  /** The landing zone, and the prefix below it if there is one, as {@link DfsClient} takes it. */
  public String path() {
    return url.path();
  }

  @Override
  public String toString() {
    return url.toString();
  }
}
