/** On which ports each service of a compose file listens, and what is spoken there, as far as that can be known before it starts. */
import type { ListenerDocument } from '../document/listen-document.ts';
import type { ComposeProject, ComposeService } from './compose-model.ts';
import { fieldOf, textOf } from './compose-node.ts';
import { findMentions, type Mention } from './find-mentions.ts';
import { portsOfImage, schemeOfPort } from './known-ports.ts';

export interface KnownPort {
  readonly port: number;
  readonly scheme: string;
  /** Of its listener. */
  readonly listener: string;
}

export interface ServicePorts {
  readonly byService: ReadonlyMap<string, readonly KnownPort[]>;
  /** Consumer to what it names. */
  readonly mentions: ReadonlyMap<string, readonly Mention[]>;
}

/** `exposed` are the ports that a Dockerfile beside the compose file exposes, by service. */
export function servicePorts(
  { services, files }: ComposeProject,
  exposed: ReadonlyMap<string, readonly number[]>,
): ServicePorts {
  const names = new Map(
    services.flatMap((service) => namesOf(service).map((name) => [name, service.name] as const)),
  );
  const mentions = new Map(
    services.map((service) => {
      const aliases = new Map([...names, ...Object.entries(service.links)]);
      const contents = configTexts(service, files);
      const found = findMentions(
        service.environment,
        [...commandTexts(service), ...contents],
        [...aliases.keys()],
      );
      return [service.name, found.map((one) => ({ ...one, name: aliases.get(one.name) as string }))];
    }),
  );
  const all = [...mentions].flatMap(([consumer, found]) => found.filter(({ name }) => name !== consumer));
  const byService = new Map(
    services.map((service) => {
      const named = all.filter(({ name }) => name === service.name);
      return [service.name, portsOf(service, named, exposed.get(service.name) ?? [])];
    }),
  );
  return { byService, mentions };
}

/** Under which others in its networks can reach it. */
export function namesOf(service: ComposeService): readonly string[] {
  const container = textOf(fieldOf(service.node, 'container_name'));
  return [
    ...new Set([service.name, ...(container ? [container] : []), ...Object.values(service.networks).flat()]),
  ];
}

function commandTexts({ node, command, entrypoint }: ComposeService): readonly string[] {
  const test = fieldOf(node, 'healthcheck', 'test');
  const items = test?.kind === 'list' ? test.items : test ? [test] : [];
  return [...(command ?? []), ...(entrypoint ?? []), ...items.flatMap((item) => textOf(item) ?? [])];
}

function configTexts({ node }: ComposeService, files: ComposeProject['files']): readonly string[] {
  const configs = fieldOf(node, 'configs');
  const used =
    configs?.kind === 'list' ? configs.items.flatMap((item) => textOf(fieldOf(item, 'source')) ?? []) : [];
  return used.flatMap((name) => {
    const from = files[`configs ${name}`]?.from;
    return typeof from === 'object' && 'content' in from ? [from.content] : [];
  });
}

function portsOf(
  service: ComposeService,
  named: readonly Mention[],
  exposed: readonly number[],
): readonly KnownPort[] {
  const published = service.ports.filter(({ protocol }) => protocol === 'tcp');
  const found = [
    ...published.map(({ target }) => target),
    ...service.expose,
    ...named.flatMap(({ port }) => port ?? []),
    ...exposed,
    ...(service.node.entries.has('build') ? [] : portsOfImage(service.image)),
  ];
  return [...new Set(found)].map((port, index) => {
    const declared = published.find(({ target }) => target === port);
    const written = declared?.appProtocol ?? named.find((one) => one.port === port && one.scheme)?.scheme;
    return { port, scheme: schemeOfPort(port, written), listener: index === 0 ? 'main' : `port-${port}` };
  });
}

export function listenersOfPorts(ports: readonly KnownPort[]): ListenerDocument[] {
  return ports.map(({ port, scheme, listener }) => ({ port, scheme, name: listener }));
}
