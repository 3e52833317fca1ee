/** What a suite declares, read off its files without performing anything: as good for a revision of the past as for today. */

import path from 'node:path';
import { isContainer } from '../../kernel/exact-json.ts';
import { Problem, Problems } from '../../kernel/problem.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';

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

export interface SuiteOutline {
  readonly trials: readonly TrialOutline[];
  /** Files that cannot be read as trials. */
  readonly unreadable: readonly string[];
}

/** `read` gives the text of a file, absent for one that is not there. */
export function suiteOutline(
  files: readonly string[],
  read: (file: string) => string | undefined,
): SuiteOutline {
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

type RawMap = Readonly<Record<string, unknown>>;

function trialOutline(
  file: string,
  text: string,
  read: (file: string) => string | undefined,
): readonly TrialOutline[] | undefined {
  const document = mapIn(file, text);
  if (typeof document?.id !== 'string') return undefined;
  const fragments = textsIn(document.use).flatMap((name) => {
    const other = path.resolve(path.dirname(file), name);
    const written = read(other);
    return written === undefined ? [] : [mapIn(other, written) ?? {}];
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

/** Code is not run to be read: ids, covers and checks stand in it as texts. */
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

function mapIn(file: string, text: string): RawMap | undefined {
  try {
    const { value } = parseYamlDocument(file, text, 'trial.syntax');
    return isMap(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}

function isMap(value: unknown): value is RawMap {
  return isContainer(value) && !Array.isArray(value);
}

function mapsIn(list: unknown): readonly RawMap[] {
  return Array.isArray(list) ? list.filter(isMap) : [];
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
