package io.corehub.lineage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.corehub.lineage.EventSink.RefusedEventException;
import io.openlineage.client.Clients;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineageClient;
import io.openlineage.client.OpenLineageClientUtils;
import io.openlineage.client.OpenLineageConfig;
import io.openlineage.client.transports.FacetsConfig;
import io.openlineage.client.transports.HttpTransportResponseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The official client, one for each configuration: pipelines that send to the same place share it,
 * and send one after the other, because its file transport does not keep two writers apart.
 * Thread-safe.
 */
final class ClientSinks {

  private final Map<Optional<String>, Shared> clients = new HashMap<>();

  /** A client and how many use it. */
  private static final class Shared {
    final OpenLineageClient client;
    final Set<String> disabledFacets;
    int users;

    Shared(OpenLineageClient client, Set<String> disabledFacets) {
      this.client = client;
      this.disabledFacets = disabledFacets;
    }
  }

  /**
   * Opens the client of a configuration.
   *
   * @param configFile path of an {@code openlineage.yml}; empty to let the client look for one
   * @return the sink
   * @throws Exception if the client cannot be made of it
   */
  synchronized EventSink open(Optional<String> configFile) throws Exception {
    Shared shared = clients.get(configFile);
    if (shared == null) {
      shared = shared(configFile);
      clients.put(configFile, shared);
    }
    shared.users++;
    return new Lease(configFile, shared);
  }

  private static Shared shared(Optional<String> configFile) throws Exception {
    if (configFile.isEmpty()) {
      return new Shared(Clients.newClient(), Set.of());
    }
    Path file = Path.of(configFile.get());
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("the file " + file + " cannot be read");
    }
    // Read here and not by the client, which would not say why it cannot read it.
    OpenLineageConfig<?> config =
        OpenLineageClientUtils.newObjectMapper(new YAMLFactory())
            .readValue(Files.readAllBytes(file), new TypeReference<OpenLineageConfig<?>>() {});
    if (config == null) {
      throw new IllegalArgumentException("the file " + file + " is empty");
    }
    if (config.getTransportConfig() == null) {
      throw new IllegalArgumentException("the file " + file + " names no 'transport'");
    }
    FacetsConfig facets = config.getFacetsConfig();
    return new Shared(
        Clients.newClient(config),
        facets == null ? Set.of() : Set.of(facets.getEffectiveDisabledFacets()));
  }

  private synchronized void leave(Optional<String> configFile, Shared shared) throws Exception {
    shared.users--;
    if (shared.users == 0) {
      clients.remove(configFile);
      shared.client.close();
    }
  }

  private final class Lease implements EventSink {
    private final Optional<String> configFile;
    private final Shared shared;
    private boolean closed;

    Lease(Optional<String> configFile, Shared shared) {
      this.configFile = configFile;
      this.shared = shared;
    }

    @Override
    public void send(RunEvent event) throws Exception {
      try {
        synchronized (shared) {
          shared.client.emit(event);
        }
      } catch (HttpTransportResponseException e) {
        int status = e.getStatusCode();
        if (status >= 400 && status < 500 && status != 408 && status != 429) {
          throw new RefusedEventException("HTTP " + status + ": " + e.getBody(), e);
        }
        throw e;
      }
    }

    @Override
    public boolean leavesOut(String facet) {
      return shared.disabledFacets.contains(facet);
    }

    @Override
    public void close() throws Exception {
      if (!closed) {
        closed = true;
        leave(configFile, shared);
      }
    }
  }
}
