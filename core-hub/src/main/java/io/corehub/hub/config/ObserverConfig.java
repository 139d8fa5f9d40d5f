package io.corehub.hub.config;

import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Settings;

/**
 * What may watch a pipeline. Immutable.
 *
 * @param provider kind of observer
 * @param settings its settings, those of the hub included
 */
public record ObserverConfig(ObserverProvider provider, Settings settings) {}
