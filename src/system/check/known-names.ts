/** Everything that a config gives a name to, as references and `after` may use it. */
import { buildListen } from '../build/build-listen.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ListenSpec, ResourceSpec } from '../system.ts';

export type ResourceKind = ResourceSpec['kind'];

export interface KnownNames {
  /** Resource to its kind. */
  readonly resources: ReadonlyMap<string, ResourceKind>;
  readonly jobs: ReadonlySet<string>;
  readonly services: ReadonlyMap<string, readonly ListenSpec[]>;
  /** Roster to the names of its services. */
  readonly rosters: ReadonlyMap<string, readonly string[]>;
  /** Names of the variants. */
  readonly matrix: readonly string[];
}

/** What `${resource.NAME}` may say, by the kind of the resource. */
export const resourceReferences: Readonly<Record<ResourceKind, readonly string[]>> = {
  postgres: ['url', 'host', 'port', 'user', 'password', 'database', 'schema', 'jdbcUrl', 'urls', 'adminUrl'],
  model: ['url', 'openaiUrl', 'host', 'port', 'key'],
  http: ['url', 'host', 'port'],
  telemetry: ['url', 'host', 'port'],
};

export function knownNames(document: SystemDocument, drafts: readonly ProgramDraft[]): KnownNames {
  const services = drafts.filter((draft) => draft.kind === 'service');
  return {
    resources: new Map(Object.entries(document.resources ?? {}).map(([name, { kind }]) => [name, kind])),
    jobs: new Set(Object.keys(document.jobs ?? {})),
    services: new Map(services.map((draft) => [draft.name, buildListen(draft.document.listen)])),
    rosters: new Map(
      Object.keys(document.rosters ?? {}).map((roster) => [
        roster,
        services.filter(({ member }) => member?.roster === roster).map(({ name }) => name),
      ]),
    ),
    matrix: Object.keys(document.matrix ?? {}),
  };
}

export function allNames({ resources, jobs, services, rosters }: KnownNames): string[] {
  return [...resources.keys(), ...jobs, ...services.keys(), ...rosters.keys()];
}
