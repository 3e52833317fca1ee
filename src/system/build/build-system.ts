/** Puts the checked parts together into the system. */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { limits } from '../../kernel/limits.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { SuitePolicy, System } from '../system.ts';
import { buildJob, buildService } from './build-program.ts';
import { buildEdges, buildRelays } from './build-relays.ts';
import { buildResource } from './build-resource.ts';
import { durationMs } from './duration-ms.ts';

export interface SystemParts {
  readonly document: SystemDocument;
  readonly source: ConfigSource;
  readonly drafts: readonly ProgramDraft[];
  /** Roster name to the names of its services. */
  readonly rosters: ReadonlyMap<string, readonly string[]>;
  readonly manifests: readonly string[];
  /** What each program waits for. */
  readonly after: ReadonlyMap<string, readonly string[]>;
}

/** Where trials are unless the config says it; "trials" for "trial" is found, too, and refused. */
export const defaultTrials = ['**/*.{trial,trials}.{yaml,yml}', '**/*.flow.{ts,mts,js,mjs}'];

export function buildSystem(parts: SystemParts): System {
  const { document, source, drafts } = parts;
  const folder = dirname(source.file);
  const around = (draft: ProgramDraft) => ({ folder, source, after: parts.after.get(draft.name) ?? [] });
  return {
    name: document.name,
    file: source.file,
    folder,
    trials: typeof document.trials === 'string' ? [document.trials] : (document.trials ?? defaultTrials),
    ...(document.requirements === undefined ? {} : { requirements: [document.requirements].flat() }),
    resources: Object.entries(document.resources ?? {}).map(([name, resource]) =>
      buildResource(name, resource, source),
    ),
    jobs: drafts.flatMap((draft) => (draft.kind === 'job' ? [buildJob(draft, around(draft))] : [])),
    services: drafts.flatMap((draft) =>
      draft.kind === 'service' ? [buildService(draft, around(draft))] : [],
    ),
    rosters: Object.fromEntries(parts.rosters),
    secrets: secretsOf(document),
    matrix: Object.fromEntries(
      Object.entries(document.matrix ?? {}).map(([name, values]) => [name, values.map(String)]),
    ),
    boot: { withinMs: durationMs(document.boot?.within, limits.bootWithinMs) },
    teardown: { withinMs: durationMs(document.teardown?.within, limits.teardownWithinMs) },
    logs: buildLogs(document.logs),
    gates: document.gates ?? {},
    relays: buildRelays(document.relays),
    ...(document.edges ? { edges: buildEdges(document.edges) } : {}),
    ...(document.suite ? { suite: document.suite as SuitePolicy } : {}),
    ...(document.boundaries === undefined ? {} : { boundaries: resolve(folder, document.boundaries) }),
    ...(document.catalogue === undefined ? {} : { catalogue: resolve(folder, document.catalogue) }),
    isolation: document.isolation ?? 'fresh',
    settleMs: durationMs(document.settle, limits.settleMs),
    configHash: hashOf(parts),
  };
}

/** The keys to real providers are secrets, whether or not somebody says so. */
function secretsOf({ secrets = [], resources = {} }: SystemDocument): readonly string[] {
  const keys = Object.values(resources).flatMap((resource) => {
    if (resource.kind === 'http') return resource.upstream?.key ?? [];
    if (resource.kind !== 'model') return [];
    return Object.values(resource.upstreams ?? {}).flatMap((upstream) => (upstream ? [upstream.key] : []));
  });
  return [...new Set([...secrets, ...keys])];
}

function buildLogs(logs: SystemDocument['logs']): System['logs'] {
  return {
    ...(logs?.error === undefined ? {} : { error: logs.error }),
    ...(logs?.allow ? { allow: logs.allow } : {}),
  };
}

/** The text says what was declared; the data, what a computed config made of it. */
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
