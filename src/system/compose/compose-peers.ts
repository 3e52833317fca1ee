/** Under which names and ports a service of a compose file reaches the others, and what no tap will see. */

import { formatPosition } from '../../kernel/source-position.ts';
import type { PeerNameSpec } from '../container-spec.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { ComposeService } from './compose-model.ts';
import { systemName } from './compose-names.ts';
import { type KnownPort, namesOf, type ServicePorts } from './compose-ports.ts';
import type { ComposeNotice } from './compose-report.ts';

export interface PeerSurroundings {
  readonly services: readonly ComposeService[];
  readonly ports: ServicePorts;
  /** Service of the compose files to what stands in for it. */
  readonly replaced: ReadonlyMap<string, string>;
  /** In the system: the listener of a name that answers for this port; undefined where it has none, as a job. */
  readonly listenerOf: (name: string, port: KnownPort) => string | undefined;
  readonly isService: (service: ComposeService) => boolean;
}

export function peersOf(consumer: ComposeService, around: PeerSurroundings): readonly PeerNameSpec[] {
  return around.services.flatMap((provider) => {
    if (provider.name === consumer.name || !around.isService(provider)) return [];
    const names = reachedBy(consumer, provider);
    const to = around.replaced.get(provider.name) ?? systemName(provider.name);
    const ports = (around.ports.byService.get(provider.name) ?? []).flatMap((port) => {
      const listener = around.listenerOf(to, port);
      return listener === undefined ? [] : [{ port: port.port, listener }];
    });
    if (ports.length === 0 && !isNamed(consumer, provider, around)) return [];
    return names.map((name) => ({ name, to, ports }));
  });
}

/** The names of a provider in the networks that the two have in common, and those of links. */
function reachedBy(consumer: ComposeService, provider: ComposeService): readonly string[] {
  const common = Object.keys(consumer.networks).filter((network) => network in provider.networks);
  const linked = Object.entries(consumer.links).flatMap(([alias, to]) =>
    to === provider.name ? [alias] : [],
  );
  if (common.length === 0) return [];
  const aliases = new Set(common.flatMap((network) => provider.networks[network] ?? []));
  const own = namesOf({ ...provider, networks: { common: [...aliases] } });
  return [...new Set([...own, ...linked])];
}

function isNamed(consumer: ComposeService, provider: ComposeService, { ports }: PeerSurroundings): boolean {
  const isMentioned = ports.mentions.get(consumer.name)?.some(({ name }) => name === provider.name);
  return isMentioned === true || Object.values(consumer.links).includes(provider.name);
}

/** UDP has no taps. */
export function untappedPorts(services: readonly ComposeService[]): readonly ComposeNotice[] {
  return services.flatMap((service) =>
    service.ports
      .filter(({ protocol }) => protocol !== 'tcp')
      .map(({ target, protocol }) => ({
        where: formatPosition(yamlPosition(service.at)),
        what: `port ${target}/${protocol} of \`${service.name}\`: taps carry TCP only, so nothing leads there`,
      })),
  );
}
