/** Everything that a config names, for references and `after`. */
import { listenersAt } from '../build/build-listen.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ListenSpec, ResourceSpec } from '../system.ts';

export interface KnownNames {
  /** Resource, or volume, to its kind. */
  readonly resources: ReadonlyMap<string, ResourceSpec['kind']>;
  readonly jobs: ReadonlySet<string>;
  readonly services: ReadonlyMap<string, readonly ListenSpec[]>;
  /** Roster to the names of its services. */
  readonly rosters: ReadonlyMap<string, readonly string[]>;
  /** Names of the variants. */
  readonly matrix: readonly string[];
}

export function knownNames(document: SystemDocument, drafts: readonly ProgramDraft[]): KnownNames {
  const services = drafts.filter((draft) => draft.kind === 'service');
  return {
    resources: new Map([
      ...Object.entries(document.resources ?? {}).map(([name, { kind }]) => [name, kind] as const),
      ...Object.keys(document.volumes ?? {}).map((name) => [name, 'volume'] as const),
    ]),
    jobs: new Set(drafts.flatMap(({ kind, name }) => (kind === 'job' ? [name] : []))),
    services: new Map(services.map((draft) => [draft.name, listenersAt(draft.document)])),
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
