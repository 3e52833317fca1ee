/** Which consumer holds a reference to which provider: the edges of the system, each with a tap of its own. */
import { parseReferences } from '../../kernel/references.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { containerTexts } from '../../system/container-texts.ts';
import type { ListenSpec, ProgramSpec, ReadySpec, System } from '../../system/system.ts';
import { templateText } from './template-text.ts';

export interface Edge {
  readonly from: string;
  /** A service or a resource. */
  readonly to: string;
  /** Of a service with several ports, which one. */
  readonly listener: string;
}

/** The consumer outside of the environment: a person, a load tool, a test. */
export const outside = 'outside';

/** The name of a resource's only port. */
export const resourceListener = 'main';

export function edgeKey(edge: Edge): string {
  return `${edge.from} ${edge.to} ${edge.listener}`;
}

/** How an edge is displayed: `switchboard -> health`, or `outside -> health.admin` for a second port. */
export function edgeEnd(system: System, to: string, listener: string): string {
  const first = system.services.find((service) => service.name === to)?.listen[0]?.name ?? resourceListener;
  return listener === first ? to : `${to}.${listener}`;
}

/** The name of the end of an edge: the first port of a service has its own name, too. */
export function namesOfEnd({ services }: System, to: string): readonly string[] {
  const first = services.find(({ name }) => name === to)?.listen[0]?.name;
  return first === undefined ? [to] : [to, `${to}.${first}`];
}

/** What a tap reads on an edge; a plain TCP edge may lead to a store that was not announced. */
export function readAs(scheme: string): Reading | undefined {
  return readings.get(scheme);
}

/** Whether calls are expected there. */
export function isRead(scheme: string): boolean {
  return readings.has(scheme) && scheme !== 'tcp';
}

type Reading = 'http' | 'store' | 'redis' | 'perhaps-store';

const readings: ReadonlyMap<string, Reading> = new Map([
  ['http', 'http'],
  ['postgres', 'store'],
  ['postgresql', 'store'],
  ['redis', 'redis'],
  ['valkey', 'redis'],
  ['tcp', 'perhaps-store'],
]);

/** The protocol. */
export function schemeOf(system: System, edge: Edge): string {
  const listener = listenerOf(system, edge);
  if (listener) return listener.scheme;
  const resource = system.resources.find(({ name }) => name === edge.to);
  return resource && edge.listener === resourceListener ? resourceKind(resource).scheme : 'tcp';
}

export function listenerOf(system: System, { to, listener }: Edge): ListenSpec | undefined {
  return system.services.find(({ name }) => name === to)?.listen.find(({ name }) => name === listener);
}

export function findEdges(system: System): readonly Edge[] {
  return findUses(system).filter(({ to }) => !isFile(system, to));
}

/** The same with the files that consumers open themselves, where there is nothing for a tap. */
export function findUses(system: System): readonly Edge[] {
  const fromOutside = providers(system).map((provider) => ({ from: outside, ...provider }));
  const declared = [...system.jobs, ...system.services].flatMap((program) => [
    ...programTexts(program).flatMap((text) => edgesIn(system, program.name, text)),
    ...(program.container?.mounts ?? []).flatMap((mount) =>
      mount.kind === 'shared' ? edgesTo(system, program.name, mount.name, []) : [],
    ),
    ...(program.container?.peers ?? []).flatMap(({ to, ports }) =>
      ports.map(({ listener }) => ({ from: program.name, to, listener })),
    ),
  ]);
  const ofPeers = system.resources.flatMap((resource) =>
    (resourceKind(resource).callbacks?.(resource) ?? []).flatMap(({ text }) =>
      edgesIn(system, resource.name, text),
    ),
  );
  return [
    ...new Map([...fromOutside, ...declared, ...ofPeers].map((edge) => [edgeKey(edge), edge])).values(),
  ];
}

function isFile({ resources }: System, name: string): boolean {
  return resources.some((one) => one.name === name && resourceKind(one).isFile === true);
}

function providers(system: System): Array<{ to: string; listener: string }> {
  return [
    ...system.resources.map(({ name }) => ({ to: name, listener: resourceListener })),
    ...system.services.flatMap(({ name, listen }) =>
      listen.map((listener) => ({ to: name, listener: listener.name })),
    ),
  ];
}

/** Every string of a program that may hold references. */
function programTexts(program: ProgramSpec & { ready?: ReadySpec }): readonly string[] {
  return [
    ...program.run,
    ...containerTexts(program.container).map(([, text]) => text),
    program.cwd,
    ...Object.values(program.env),
    ...program.files.map(templateText),
    ...(program.ready ? readyTexts(program.ready) : []),
  ];
}

function readyTexts(ready: ReadySpec): readonly string[] {
  if (ready.probe === 'command') return ready.run;
  return ready.probe === 'all' || ready.probe === 'any' ? ready.of.flatMap(readyTexts) : [];
}

function edgesIn(system: System, from: string, text: string): Edge[] {
  return parseReferences(text).flatMap((part) => {
    if (!('path' in part)) return [];
    const [head, ...rest] = part.path as [string, ...string[]];
    const members = system.rosters[head];
    if (members && rest[0] === '*')
      return members.flatMap((member) => edgesTo(system, from, member, rest.slice(1)));
    return edgesTo(system, from, head, rest);
  });
}

function edgesTo(system: System, from: string, to: string, rest: readonly string[]): Edge[] {
  if (system.resources.some(({ name }) => name === to)) return [{ from, to, listener: resourceListener }];
  const service = system.services.find(({ name }) => name === to);
  const listener =
    service?.listen.find(({ name }) => rest.length > 1 && name === rest[0]) ?? service?.listen[0];
  return listener ? [{ from, to, listener: listener.name }] : [];
}
