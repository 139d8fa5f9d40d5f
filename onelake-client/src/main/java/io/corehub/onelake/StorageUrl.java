package io.corehub.onelake;

/**
 * A folder for files: the {@code Files} folder of a Lakehouse or a folder below it, or any folder
 * of a storage account's file system. Immutable.
 *
 * <p>In OneLake, workspace and item are both GUIDs, or both names; a named item carries its type as
 * suffix.
 */
public record StorageUrl(OneLakeUrl url) {

  public StorageUrl {
    url = UrlText.files(url);
  }

  /**
   * Reads the URL of a folder in any shape that {@link OneLakeUrl#parse} takes.
   *
   * @throws InvalidValueException when it is no folder for files; the message says what to write
   */
  public static StorageUrl parse(String text, HostPolicy hosts) {
    return new StorageUrl(UrlText.parse(text, hosts));
  }

  @Override
  public String toString() {
    return url.toString();
  }
}
