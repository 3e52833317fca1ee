/** Inserts the steps and checks of shared fragments, with `${with.…}` filled in. */
import path from 'node:path';
import { refuse } from '../../kernel/problem.ts';
import { readText } from '../../system/source/read-text.ts';
import { type ParsedDocument, parseYamlDocument } from '../../system/source/yaml-document.ts';
import { type FragmentDocument, fragmentDocument } from '../document/trial-document.ts';
import type { PlacedStep } from './build-step.ts';
import { fillPart } from './fill-values.ts';
import { type Placed, problemAt, type RawMap, shapeProblems } from './placed.ts';

export interface Parts {
  readonly steps: readonly PlacedStep[];
  readonly checks: readonly (readonly [id: string, check: Placed<RawMap>])[];
}

const deepest = 5;

/** Of a trial or of a fragment; `use` at the top comes before its own steps. */
export async function expandParts(
  parsed: ParsedDocument,
  file: string,
  within: readonly string[] = [],
): Promise<Parts> {
  const folder = path.dirname(file);
  const document = parsed.value as FragmentDocument & {
    use?: readonly string[];
    ladder?: readonly RawMap[];
  };
  const steps: PlacedStep[] = [];
  const checks: Parts['checks'][number][] = [];
  const include = async (
    name: string,
    values: unknown,
    placed: Placed<unknown>,
    key: readonly (string | number)[],
  ) => {
    const parts = await readFragment(path.resolve(folder, name), [...within, file], placed, key);
    const filled = <Part extends Placed<RawMap>>(part: Part): Part => fillPart(part, 'with', values);
    steps.push(...parts.steps.map(filled));
    checks.push(...parts.checks.map(([id, check]) => [id, filled(check)] as const));
  };
  const root = { value: document, source: parsed.source, path: [] };
  for (const [index, name] of (document.use ?? []).entries()) await include(name, {}, root, ['use', index]);
  for (const [index, value] of (document.steps ?? []).entries()) {
    const placed = { value: value as RawMap, source: parsed.source, path: ['steps', index], folder };
    if (typeof value.use === 'string') await include(value.use, value.with ?? {}, placed, ['use']);
    else steps.push(placed);
  }
  for (const [index, value] of (document.ladder ?? []).entries())
    steps.push({ value: value as RawMap, source: parsed.source, path: ['ladder', index], folder });
  for (const [id, value] of Object.entries(document.checks ?? {}))
    checks.push([id, { value: value as RawMap, source: parsed.source, path: ['checks', id] }]);
  return { steps, checks };
}

async function readFragment(
  file: string,
  within: readonly string[],
  placed: Placed<unknown>,
  key: readonly (string | number)[],
): Promise<Parts> {
  if (within.includes(file) || within.length > deepest)
    throw problemAt(placed, 'value', key, {
      code: 'trial.fragment-cycle',
      what: within.includes(file)
        ? `${path.basename(file)} uses itself`
        : `fragments use each other more than ${deepest} deep`,
      allowed: `fragments within fragments, at most ${deepest} deep`,
      next: 'write the steps out',
    });
  const text = await readText(file, { noun: 'fragment', unreadable: 'trial.unreadable' }).catch(() => {
    throw problemAt(placed, 'value', key, {
      code: 'trial.unreadable',
      what: `the fragment ${file} cannot be read`,
      allowed: 'a file of shared steps, relative to this one',
      next: 'correct the path, or make the file',
    });
  });
  const parsed = parseYamlDocument(file, text, 'trial.syntax');
  refuse(shapeProblems({ ...parsed, path: [] }, fragmentDocument, () => false));
  return expandParts(parsed, file, within);
}
