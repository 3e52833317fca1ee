/** Loads a config: reads it, validates it as a whole, expands rosters, and returns the system. */
import { resolve } from 'node:path';
import { type Problem, problemsIn, refuse } from '../kernel/problem.ts';
import { attachedAddresses, loginVariables } from './attached/at-address.ts';
import { buildSystem } from './build/build-system.ts';
import { afterProblems, waitsFor } from './check/after-problems.ts';
import { againProblems } from './check/again-problems.ts';
import { attachedProblems, isolationProblems } from './check/attached-problems.ts';
import { checkShape } from './check/check-shape.ts';
import { containerProblems } from './check/container-problems.ts';
import { hideTypedKeys } from './check/hide-typed-keys.ts';
import { allNames, knownNames } from './check/known-names.ts';
import { listenProblems } from './check/listen-problems.ts';
import { logProblems } from './check/log-problems.ts';
import { nameProblems } from './check/name-problems.ts';
import { readyProblems } from './check/ready-problems.ts';
import { type ReferenceCheck, referenceProblems } from './check/reference-problems.ts';
import { shimProblems } from './check/shim-problems.ts';
import { sortProblems } from './check/sort-problems.ts';
import { suiteProblems } from './check/suite-problems.ts';
import { composeDrafts } from './compose/compose-drafts.ts';
import type { SystemDocument } from './document/system-document.ts';
import type { ProgramDraft } from './program-draft.ts';
import { readConfig } from './read-config.ts';
import { readTemplates } from './read-templates.ts';
import { expandRoster, type RosterMember } from './roster/expand-roster.ts';
import type { ConfigSource } from './source/config-source.ts';
import type { System } from './system.ts';

/** The user's own environment variables. */
export type HostEnv = Readonly<Record<string, string | undefined>>;

/** `onSecrets` receives the names of secret variables before anything is printed about the config. */
export async function loadSystem(
  { file }: { readonly file: string },
  hostEnv: HostEnv,
  onSecrets: (names: readonly string[]) => void = () => undefined,
): Promise<System> {
  const { value, source } = await readConfig(resolve(file));
  onSecrets(declaredSecrets(value));
  const written = checkShape(value, source);
  const members = await expandRosters(written, source);
  const compose = await composeDrafts(written, members, hostEnv, source);
  const document = { ...written, resources: { ...written.resources, ...compose.resources } };
  const { drafts: declared, problems } = await draftPrograms(document, members, source);
  const drafts = [...declared, ...compose.drafts];
  const known = knownNames(document, drafts);
  refuse(
    sortProblems(
      hideTypedKeys(
        [
          ...problems,
          ...nameProblems(document, members, source),
          ...meaningProblems({ document, drafts, known, hostEnv, source }),
        ],
        document,
      ),
    ),
  );
  return buildSystem({
    document,
    source,
    drafts,
    rosters: known.rosters,
    manifests: [...members.map(({ text }) => text), ...compose.texts],
    compose,
    after: waitsFor(drafts, known),
  });
}

function declaredSecrets(document: unknown): readonly string[] {
  const secrets = (document as { readonly secrets?: unknown } | null | undefined)?.secrets;
  const declared = Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : [];
  return [...declared, ...attachedAddresses(document).flatMap(loginVariables)];
}

function meaningProblems(meaning: ReferenceCheck): Problem[] {
  const { document, drafts, known, source } = meaning;
  const services = drafts.filter((draft) => draft.kind === 'service');
  return [
    ...drafts.flatMap((draft) => containerProblems(draft, meaning)),
    ...services.flatMap((service) => attachedProblems(service, meaning)),
    ...isolationProblems(meaning),
    ...listenProblems(services, source),
    ...services.flatMap((service) => readyProblems(service, source)),
    ...services.flatMap((service) => shimProblems(service, allNames(known), source)),
    ...afterProblems(drafts, known, source),
    ...drafts.flatMap((draft) => againProblems(draft, known, source)),
    ...referenceProblems(meaning),
    ...logProblems(document, known, source),
    ...suiteProblems(document, known, source),
  ];
}

/** Without its services, references to them cannot be checked, so a broken roster ends the validation. */
async function expandRosters(document: SystemDocument, source: ConfigSource): Promise<RosterMember[]> {
  const members: RosterMember[] = [];
  const problems: Problem[] = [];
  for (const [name, roster] of Object.entries(document.rosters ?? {})) {
    try {
      members.push(...(await expandRoster(name, roster, source)));
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  refuse(sortProblems(problems));
  return members;
}

async function draftPrograms(
  document: SystemDocument,
  members: readonly RosterMember[],
  source: ConfigSource,
): Promise<{ drafts: ProgramDraft[]; problems: Problem[] }> {
  const drafts: ProgramDraft[] = [];
  const problems: Problem[] = [];
  const add = async (bare: ProgramDraft, it?: RosterMember['it']): Promise<void> => {
    const owner = { path: bare.path, files: bare.document.files ?? {}, ...(it ? { it } : {}) };
    const read = await readTemplates(owner, source);
    problems.push(...read.problems);
    drafts.push({ ...bare, templates: read.templates });
  };
  for (const [name, job] of Object.entries(document.jobs ?? {})) {
    await add({ kind: 'job', name, document: job, path: ['jobs', name], templates: [] });
  }
  for (const [name, service] of Object.entries(document.services ?? {})) {
    await add({ kind: 'service', name, document: service, path: ['services', name], templates: [] });
  }
  for (const { roster, manifest, name, document: service, it } of members) {
    const path = ['rosters', roster, 'service'];
    await add(
      { kind: 'service', name, document: service, path, templates: [], member: { roster, manifest, it } },
      it,
    );
  }
  return { drafts, problems };
}
