/** Assembles the system from its checked parts. */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { durationMs } from '../../kernel/duration.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import { limits } from '../../kernel/limits.ts';
import { parseSize } from '../../kernel/size.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { addressesAt, loginVariables } from '../attached/at-address.ts';
import { isAttached } from '../attached/attached-services.ts';
import type { ComposeDrafts } from '../compose/compose-drafts.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { EdgeSpec, PluginSpec, RelaySpec, ResourceSpec, ServiceSpec, System } from '../system.ts';
import { listenersAt } from './build-listen.ts';
import { buildJob, buildService } from './build-program.ts';
import { buildResource } from './build-resource.ts';
import { buildVolumes, withShared } from './build-volumes.ts';

export interface SystemParts {
  readonly document: SystemDocument;
  readonly source: ConfigSource;
  readonly drafts: readonly ProgramDraft[];
  /** Roster name to the names of its services. */
  readonly rosters: ReadonlyMap<string, readonly string[]>;
  readonly manifests: readonly string[];
  readonly compose: Pick<ComposeDrafts, 'notices' | 'secrets' | 'logins'>;
  /** What each program waits for. */
  readonly after: ReadonlyMap<string, readonly string[]>;
}

/** Where trials are by default; "trials" for "trial" matches, too, and is refused. */
export const defaultTrials = ['**/*.{trial,trials}.{yaml,yml}', '**/*.flow.{ts,mts,js,mjs}'];

export function buildSystem(parts: SystemParts): System {
  const { document, source, drafts } = parts;
  const folder = dirname(source.file);
  const listening = new Map(
    drafts.map((draft) => [draft.name, draft.kind === 'service' ? listenersAt(draft.document) : []]),
  );
  const listeners = (service: string) => listening.get(service)?.map(({ name }) => name);
  const around = (draft: ProgramDraft) => ({
    ...{ folder, source, listeners },
    after: parts.after.get(draft.name) ?? [],
  });
  const shared = Object.keys(document.volumes ?? {});
  const services = drafts.flatMap((draft) =>
    draft.kind === 'service' ? [withShared(buildService(draft, around(draft)), shared)] : [],
  );
  const jobs = drafts.flatMap((draft) =>
    draft.kind === 'job' ? [withShared(buildJob(draft, around(draft)), shared)] : [],
  );
  return {
    name: document.name,
    file: source.file,
    folder,
    trials: typeof document.trials === 'string' ? [document.trials] : (document.trials ?? defaultTrials),
    ...defined({
      requirements: document.requirements === undefined ? undefined : [document.requirements].flat(),
    }),
    resources: [
      ...Object.entries(document.resources ?? {}).map(([name, resource]) =>
        withLogin(buildResource(name, resource, source), parts.compose.logins),
      ),
      ...buildVolumes(shared, [...jobs, ...services]),
    ],
    jobs,
    services,
    rosters: Object.fromEntries(parts.rosters),
    secrets: [...new Set([...secretsOf(document), ...parts.compose.secrets, ...drafts.flatMap(loginsOf)])],
    matrix: Object.fromEntries(
      Object.entries(document.matrix ?? {}).map(([name, values]) => [name, values.map(String)]),
    ),
    boot: { withinMs: durationMs(document.boot?.within, limits.bootWithinMs) },
    teardown: { withinMs: durationMs(document.teardown?.within, teardownMs(services)) },
    logs: defined({ error: document.logs?.error, allow: document.logs?.allow }),
    gates: document.gates ?? {},
    relays: buildRelays(document.relays),
    ...defined({
      edges: document.edges && buildEdges(document.edges),
      composeNotices: parts.compose.notices.length > 0 ? parts.compose.notices : undefined,
      plugins: document.plugins && buildPlugins(document.plugins),
      suite: document.suite,
      boundaries: document.boundaries && resolve(folder, document.boundaries),
      catalogue: document.catalogue && resolve(folder, document.catalogue),
    }),
    isolation: document.isolation ?? (services.some(isAttached) ? 'shared' : 'fresh'),
    settleMs: durationMs(document.settle, limits.settleMs),
    configHash: hashOf(parts),
  };
}

function withLogin(resource: ResourceSpec, logins: ComposeDrafts['logins']): ResourceSpec {
  const login = logins.get(resource.name);
  return resource.kind === 'postgres' && login ? { ...resource, login } : resource;
}

/** Enough for all services to stop one after the other, as far as they must, each within its own time. */
function teardownMs(services: readonly ServiceSpec[]): number {
  const chains = new Map<string, number>();
  const chainOf = ({ name, stop, after }: ServiceSpec): number => {
    const known = chains.get(name);
    if (known !== undefined) return known;
    chains.set(name, stop.withinMs);
    const before = services.filter((service) => after.includes(service.name)).map(chainOf);
    const chain = stop.withinMs + Math.max(0, ...before);
    chains.set(name, chain);
    return chain;
  };
  return Math.max(
    limits.teardownWithinMs,
    ...services.map((service) => chainOf(service) + limits.stopWithinMs),
  );
}

function buildPlugins(plugins: NonNullable<SystemDocument['plugins']>): readonly PluginSpec[] {
  return Object.entries(plugins).map(([name, { run, env = {} }]) => ({
    name,
    run: typeof run === 'string' ? ['sh', '-c', run] : run,
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
  }));
}

/** The keys to real providers are secrets even if not declared so. */
function secretsOf({ secrets = [], resources = {} }: SystemDocument): readonly string[] {
  const keys = Object.values(resources).flatMap((resource) =>
    (resourceKind(resource).upstreams?.(resource) ?? []).flatMap(({ key }) => key ?? []),
  );
  return [...new Set([...secrets, ...keys])];
}

function loginsOf(draft: ProgramDraft): readonly string[] {
  const { at } = draft.kind === 'service' ? draft.document : {};
  return at === undefined ? [] : addressesAt(at).flatMap(([, written]) => loginVariables(written));
}

/** The text covers what is written; the data, what a computed config evaluates to. */
function hashOf({ document, source, drafts, manifests }: SystemParts): string {
  const hash = createHash('sha256');
  const texts = [
    source.text,
    JSON.stringify(document),
    ...manifests,
    ...drafts.flatMap((draft) => draft.templates.map(({ written }) => written)),
  ];
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text);
  return hash.digest('hex');
}

/** Builds the edge settings of a config: relays, one for each pair of edges, and what counts as idle. */
function buildRelays(relays: SystemDocument['relays']): readonly RelaySpec[] {
  return Object.entries(relays ?? {}).flatMap(([name, { incoming, outgoing, same }]) =>
    [outgoing].flat().map((out) => ({ name, incoming: edgeName(incoming), outgoing: edgeName(out), same })),
  );
}

function buildEdges(edges: SystemDocument['edges']): readonly EdgeSpec[] {
  return Object.entries(edges ?? {}).map(([written, { idle }]) => {
    const [from = '', to = ''] = edgeName(written).split(' -> ');
    if (idle === 'ignore') return { from, to, idle };
    return { from, to, idle: { belowPerSecond: parseSize(idle.below.replace(/\/s$/, '')) ?? 0 } };
  });
}
