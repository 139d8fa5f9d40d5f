package io.corehub.emulator;

/** Where an emulator keeps committed files. */
public enum StorageBackend {
  /**
   * Plain files below the emulator's directory; they may be planted, changed and deleted by hand.
   */
  DIRECTORY,
  /** The heap; everything is gone when the emulator closes. */
  MEMORY,
  /**
   * Block blobs in an Azurite that the emulator starts and ends; needs Node.js. With the system
   * property {@code corehub.azurite.url} set to the address of a blob service, such as {@code
   * http://127.0.0.1:10000}, the emulator uses the Azurite that runs there, starts no process and
   * stops none; its blobs outlive the emulator.
   */
  AZURITE
}
