package io.corehub.emulator;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How an emulator is to run. Immutable.
 *
 * @param directory holds {@code emulator.json}, the bookkeeping and, with {@link
 *     StorageBackend#DIRECTORY}, the files; created when missing
 * @param port of the loopback interface; 0 takes any free port
 * @param managedIdentityPort of the loopback interface, for tokens of managed identities; 0 takes
 *     any free port
 * @param replicate whether landed files are applied, moved and reported as Fabric does
 * @param replicatorInterval pause between two looks at the landing zone
 * @param leftInPlace how long a file that was applied stays at least before it is moved away
 * @param tokenLifetime how long an issued token is accepted
 * @param certificateDates when the server's certificate is valid
 * @param proxy whether there is a forward proxy as well, and what it does
 */
public record EmulatorOptions(
    Path directory,
    int port,
    int managedIdentityPort,
    StorageBackend storage,
    boolean replicate,
    Duration replicatorInterval,
    Duration leftInPlace,
    Duration tokenLifetime,
    CertificateDates certificateDates,
    ProxyMode proxy) {

  /** Checks the ranges; {@link #in} is the usual way to options. */
  public EmulatorOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port is " + port + ", must be 0 (any free) to 65535");
    }
    if (managedIdentityPort < 0 || managedIdentityPort > 65_535) {
      throw new IllegalArgumentException(
          "managedIdentityPort is " + managedIdentityPort + ", must be 0 (any free) to 65535");
    }
    if (replicatorInterval.isNegative() || replicatorInterval.isZero()) {
      throw new IllegalArgumentException(
          "replicatorInterval is " + replicatorInterval + ", must be positive");
    }
    if (leftInPlace.isNegative()) {
      throw new IllegalArgumentException(
          "leftInPlace is " + leftInPlace + ", must not be negative");
    }
    if (tokenLifetime.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "tokenLifetime is " + tokenLifetime + ", must be at least one second");
    }
    directory = directory.toAbsolutePath().normalize();
  }

  /** Options with the defaults: any free port, directory storage, no replicator. */
  public static Builder in(Path directory) {
    return new Builder(directory);
  }

  /** Collects options. Confined to one caller at a time. */
  public static final class Builder {
    private final Path directory;
    private int port;
    private int managedIdentityPort;
    private StorageBackend storage = StorageBackend.DIRECTORY;
    private boolean replicate;
    private Duration replicatorInterval = Duration.ofMillis(500);
    private Duration leftInPlace = Duration.ZERO;
    private Duration tokenLifetime = Duration.ofHours(1);
    private CertificateDates certificateDates = CertificateDates.VALID;
    private ProxyMode proxy = ProxyMode.NONE;

    private Builder(Path directory) {
      this.directory = directory;
    }

    public Builder port(int value) {
      port = value;
      return this;
    }

    public Builder managedIdentityPort(int value) {
      managedIdentityPort = value;
      return this;
    }

    public Builder storage(StorageBackend value) {
      storage = value;
      return this;
    }

    public Builder replicate(boolean value) {
      replicate = value;
      return this;
    }

    public Builder replicatorInterval(Duration value) {
      replicatorInterval = value;
      return this;
    }

    public Builder leftInPlace(Duration value) {
      leftInPlace = value;
      return this;
    }

    public Builder tokenLifetime(Duration value) {
      tokenLifetime = value;
      return this;
    }

    public Builder certificateDates(CertificateDates value) {
      certificateDates = value;
      return this;
    }

    public Builder proxy(ProxyMode value) {
      proxy = value;
      return this;
    }

    public EmulatorOptions build() {
      return new EmulatorOptions(
          directory,
          port,
          managedIdentityPort,
          storage,
          replicate,
          replicatorInterval,
          leftInPlace,
          tokenLifetime,
          certificateDates,
          proxy);
    }
  }
}
