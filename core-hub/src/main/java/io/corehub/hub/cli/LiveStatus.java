package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.settings.Secret;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.WebConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a running hub how it gets on. Stateless. */
final class LiveStatus {

  private static final Logger LOG = LoggerFactory.getLogger(LiveStatus.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private LiveStatus() {}

  /** The report of the hub at an address; empty if none that runs these pipelines answers there. */
  static Optional<ObjectNode> of(String url, HubConfig config) {
    try {
      HttpClient client =
          HttpClient.newBuilder()
              .connectTimeout(LIMIT)
              .proxy(HttpClient.Builder.NO_PROXY)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
      URI health = URI.create(url).resolve("/health");
      HttpRequest.Builder request = HttpRequest.newBuilder(health).timeout(LIMIT);
      token(health, config)
          .ifPresent(token -> request.header("Authorization", "Bearer " + token.reveal()));
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      JsonNode report = JSON.readTree(answer.body());
      boolean ours =
          report instanceof ObjectNode
              && config.pipelines().stream()
                  .allMatch(pipeline -> report.path("pipelines").has(pipeline.name()));
      return ours ? Optional.of((ObjectNode) report) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("The running hub does not answer at {}", url, e);
      return Optional.empty();
    }
  }

  /** What to show at an address, which comes from a file: nothing where the hub cannot be. */
  private static Optional<Secret> token(URI at, HubConfig config) {
    return config
        .web()
        .filter(web -> web.host().equals(String.valueOf(at.getHost()).replaceAll("[\\[\\]]", "")))
        .flatMap(WebConfig::token);
  }
}
