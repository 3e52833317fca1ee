/** What a suite declares, read from its files without performing anything: works for past revisions, too. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { Problem, Problems } from '../../kernel/problem.ts';
import { defaultTrials } from '../../system/build/build-system.ts';
import { normaliseText } from '../../system/source/read-text.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import type { System } from '../../system/system.ts';

export interface TrialOutline {
  readonly id: string;
  readonly file: string;
  readonly covers: readonly string[];
  /** Names of its cases; absent where it has none, or takes them from a roster. */
  readonly cases?: readonly string[];
  readonly checks: readonly string[];
  /** Names of the steps that expect something. */
  readonly expecting: readonly string[];
  /** How many steps expect something, those without a name included. */
  readonly expectations: number;
}

/** `read` returns the text of a file; undefined for a missing one. Files that cannot be read as trials are listed. */
export function suiteOutline(files: readonly string[], read: (file: string) => string | undefined) {
  const unreadable: string[] = [];
  const trials = files.flatMap((file) => {
    const text = read(file);
    if (text === undefined) return [];
    const found = /\.flow\.m?[jt]s$/.test(file) ? flowOutlines(file, text) : trialOutline(file, text, read);
    if (found) return found;
    unreadable.push(file);
    return [];
  });
  return { trials, unreadable };
}

function trialOutline(
  file: string,
  text: string,
  read: (file: string) => string | undefined,
): readonly TrialOutline[] | undefined {
  const document = yamlMapIn(file, text);
  if (typeof document?.id !== 'string') return undefined;
  const fragments = textsIn(document.use).flatMap((name) => {
    const other = path.resolve(path.dirname(file), name);
    const written = read(other);
    return written === undefined ? [] : [yamlMapIn(other, written) ?? {}];
  });
  const parts = [document, ...fragments];
  const steps = parts.flatMap(({ steps: list }) => mapsIn(list));
  const expecting = steps.filter(({ expect }) => expect !== undefined);
  const cases = isMap(document.cases) && document.cases.from === undefined ? document.cases : undefined;
  return [
    {
      id: document.id,
      file,
      covers: textsIn(document.covers),
      ...(cases ? { cases: Object.keys(cases) } : {}),
      checks: parts.flatMap(({ checks }) => (isMap(checks) ? Object.keys(checks) : [])),
      expecting: expecting.flatMap(({ as }) => (typeof as === 'string' ? [as] : [])),
      expectations: expecting.length,
    },
  ];
}

/** Code is not run: ids, covers and checks are found in its text. */
function flowOutlines(file: string, text: string): readonly TrialOutline[] {
  const [, ...flows] = text.split(/\bflow\s*\(/);
  return flows.flatMap((flow) => {
    const [, id] = /\bid:\s*['"`]([^'"`]+)['"`]/.exec(flow) ?? [];
    if (id === undefined) return [];
    const [, covers = ''] = /\bcovers:\s*\[([^\]]*)\]/.exec(flow) ?? [];
    return [
      {
        id,
        file,
        covers: [...covers.matchAll(/['"`]([^'"`]+)['"`]/g)].map(([, one = '']) => one),
        checks: [...flow.matchAll(/\bcheck\(\s*['"`]([^'"`]+)['"`]/g)].map(([, one = '']) => one),
        expecting: [],
        expectations: [...flow.matchAll(/\bexpect\(/g)].length,
      },
    ];
  });
}

/** Undefined for what is not YAML, or not a map. */
function yamlMapIn(file: string, text: string): JsonMap | undefined {
  try {
    const { value } = parseYamlDocument(file, text, 'trial.syntax');
    return isMap(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}

function mapsIn(list: unknown): readonly JsonMap[] {
  return Array.isArray(list) ? list.filter(isMap) : [];
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

interface DeclaredPatterns {
  readonly trials: readonly string[];
  readonly requirements?: readonly string[];
  readonly notes: readonly string[];
}

/** `textAt` returns a file of the revision, relative to the folder of the config. */
export function declaredPatterns(
  system: System,
  textAt: (file: string) => string | undefined,
): DeclaredPatterns {
  const name = path.basename(system.file);
  const text = textAt(name);
  const same = text !== undefined && normaliseText(text) === normaliseText(readFileSync(system.file, 'utf8'));
  const today: DeclaredPatterns = {
    trials: system.trials,
    ...(system.requirements === undefined ? {} : { requirements: system.requirements }),
    notes: [],
  };
  if (same) return today;
  if (text === undefined)
    return { ...today, notes: [`${name} did not exist then; trials are found by its current globs`] };
  const declared = /\.ya?ml$/.test(name) ? fromYaml(name, text) : fromCode(text);
  if (!declared)
    return {
      ...today,
      notes: [`${name} cannot be read as it was then; trials are found by its current globs`],
    };
  return {
    trials: declared.trials ?? defaultTrials,
    ...(declared.requirements === undefined ? {} : { requirements: declared.requirements }),
    notes: [],
  };
}

function fromYaml(name: string, text: string) {
  const value = yamlMapIn(name, text);
  return value && { ...asTexts('trials', value.trials), ...asTexts('requirements', value.requirements) };
}

/** Code is not run: the keys are found as they are usually written. */
function fromCode(text: string) {
  const of = (key: string): unknown => {
    const [, one, list] =
      new RegExp(`\\b${key}:\\s*(?:['"\`]([^'"\`]+)['"\`]|\\[([^\\]]*)\\])`).exec(text) ?? [];
    if (one !== undefined) return one;
    return list && [...list.matchAll(/['"`]([^'"`]+)['"`]/g)].map(([, word]) => word);
  };
  return { ...asTexts('trials', of('trials')), ...asTexts('requirements', of('requirements')) };
}

function asTexts(
  key: 'trials' | 'requirements',
  value: unknown,
): Partial<Record<typeof key, readonly string[]>> {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.length === 0 ? {} : { [key]: texts };
}
