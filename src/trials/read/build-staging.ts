/** What is arranged before the first step: scripts of models and third parties, and disturbances of edges. */
import path from 'node:path';
import type { Problem } from '../../kernel/problem.ts';
import { readText } from '../../system/source/read-text.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import type { Disturb, Trial } from '../trial.ts';
import { buildDisturb } from './build-disturb.ts';
import { type BuiltScripts, buildScripts, type Lines, type ScriptParts } from './build-scripts.ts';
import type { Case } from './cases.ts';
import { fillValues } from './fill-values.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';
import type { Names } from './reference-problems.ts';

/** As written; flows have the same keys. */
export interface StagingDocument {
  /** Lines by caller, or the file of another trial whose script is used. */
  readonly model?: string | Readonly<Record<string, readonly object[] | string>> | undefined;
  readonly peers?: Readonly<Record<string, readonly object[] | string>> | undefined;
  readonly disturb?: readonly object[] | undefined;
}

export interface StagingParts extends Pick<ScriptParts, 'root' | 'model' | 'peers'> {
  readonly disturb: readonly RawMap[];
}

/** Finds the script, which may be in another file. */
export async function findStaging(
  { model, peers, disturb }: StagingDocument,
  root: Placed<unknown>,
  folder: string,
): Promise<StagingParts> {
  return {
    root,
    model:
      typeof model === 'string'
        ? await scriptOf(model, root, folder)
        : model && { lines: model as Lines, root },
    peers: peers as Lines | undefined,
    disturb: (disturb ?? []) as readonly RawMap[],
  };
}

async function scriptOf(
  written: string,
  root: Placed<unknown>,
  folder: string,
): Promise<NonNullable<StagingParts['model']>> {
  const file = path.resolve(folder, written);
  const unusable = (what: string): Problem =>
    problemAt(root, 'value', ['model'], {
      code: 'trial.unreadable',
      what,
      allowed: 'lines by caller, or the file of a trial that has them',
      next: written.includes('${')
        ? `write it below the service that calls: \`model: { agent: "${written}" }\``
        : 'correct the path, or write the lines here',
    });
  const text = await readText(file, { noun: 'trial', unreadable: 'trial.unreadable' }).catch(() => {
    throw unusable(`the script in ${written} cannot be read`);
  });
  const parsed = parseYamlDocument(file, text, 'trial.syntax');
  const lines = (parsed.value as { model?: unknown } | null)?.model;
  if (typeof lines !== 'object' || lines === null) throw unusable(`${written} has no \`model\` with lines`);
  return { lines: lines as Lines, root: { ...parsed, path: [] } };
}

export type BuiltStaging = BuiltScripts & Pick<Trial, 'disturbs'>;

export function buildStaging(parts: StagingParts, one: Case, names: Names, known: KnownSystem): BuiltStaging {
  const fill = (value: RawMap): RawMap => fillValues(value, 'case', one.values) as RawMap;
  const built = buildScripts({ ...parts, names, one, fill });
  const disturbs = parts.disturb.map((written, index) =>
    buildDisturb({ ...parts.root, value: fill(written), path: ['disturb', index] }, index, known),
  );
  return {
    ...built,
    disturbs: disturbs.flatMap(({ disturb }): Disturb[] => (disturb ? [disturb] : [])),
    problems: [...built.problems, ...disturbs.flatMap(({ problems }) => problems)],
  };
}
