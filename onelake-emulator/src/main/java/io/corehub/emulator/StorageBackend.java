package io.corehub.emulator;

/** Where an emulator keeps committed files. */
public enum StorageBackend {
  /**
   * Plain files below the emulator's directory; they may be planted, changed and deleted by hand.
   */
  DIRECTORY,
  /** The heap; everything is gone when the emulator closes. */
  MEMORY,
  /** Block blobs in an Azurite process that the emulator starts; needs Node.js. */
  AZURITE
}
