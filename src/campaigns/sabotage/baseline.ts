/** The findings of sabotage that a team has accepted for now, each with its reason: what is new, what is accepted, what is stale. */
import { isMap } from '../../kernel/is-map.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';

/** The keys that identify a finding, by section of the file. */
export const findingKeys = {
  offline: ['trial', 'check'],
  live: ['service', 'mutant', 'trial'],
  foreign: ['service', 'mutant', 'test'],
} as const;

export type BaselinePart = keyof typeof findingKeys;

export type FindingName<Part extends BaselinePart> = Readonly<
  Record<(typeof findingKeys)[Part][number], string>
>;

export type AcceptedFinding<Part extends BaselinePart> = FindingName<Part> & {
  readonly reason: string;
  /** Its line in the file; absent for an entry that is not written yet. */
  readonly line?: number;
};

export type Baseline = { readonly file: string } & {
  readonly [Part in BaselinePart]: readonly AcceptedFinding<Part>[];
};

export interface Held<Part extends BaselinePart, Finding> {
  /** Not accepted yet. */
  readonly open: readonly Finding[];
  readonly accepted: readonly (Finding & { readonly reason: string })[];
  /** Accepted once, but no longer a finding: the entry must be removed. */
  readonly stale: readonly AcceptedFinding<Part>[];
}

/** An entry that was not judged this time, because of a service filter or a time limit, cannot be stale. */
export type IsJudged<Part extends BaselinePart> = (entry: FindingName<Part>) => boolean;

export function holdAgainstBaseline<Part extends BaselinePart, Finding extends FindingName<Part>>(
  baseline: Baseline,
  part: Part,
  findings: readonly Finding[],
  isJudged: IsJudged<Part> = () => true,
): Held<Part, Finding> {
  const entries = entriesOf(baseline, part);
  const reasons = new Map(entries.map((entry) => [keyOf(part, entry), entry.reason]));
  const found = new Set(findings.map((finding) => keyOf(part, finding)));
  return {
    open: findings.filter((finding) => !reasons.has(keyOf(part, finding))),
    accepted: findings.flatMap((finding) => {
      const reason = reasons.get(keyOf(part, finding));
      return reason === undefined ? [] : [{ ...finding, reason }];
    }),
    stale: entries.filter((entry) => !found.has(keyOf(part, entry)) && isJudged(entry)),
  };
}

/** Contains the current findings with this reason; entries accepted before keep theirs, stale entries are dropped. */
export function acceptFindings<Part extends BaselinePart>(
  baseline: Baseline,
  part: Part,
  findings: readonly FindingName<Part>[],
  reason: string,
  isJudged?: IsJudged<Part>,
): Baseline {
  const { open } = holdAgainstBaseline(baseline, part, findings, isJudged);
  const kept = entriesOf(dropStale(baseline, part, findings, isJudged), part);
  const added = open.map((finding) => ({ ...named(part, finding), reason }) as AcceptedFinding<Part>);
  return { ...baseline, [part]: [...kept, ...added] };
}

/** Removes stale entries; adds nothing. */
export function dropStale<Part extends BaselinePart>(
  baseline: Baseline,
  part: Part,
  findings: readonly FindingName<Part>[],
  isJudged?: IsJudged<Part>,
): Baseline {
  const stale = new Set(holdAgainstBaseline(baseline, part, findings, isJudged).stale);
  return { ...baseline, [part]: entriesOf(baseline, part).filter((entry) => !stale.has(entry)) };
}

export function emptyBaseline(file: string): Baseline {
  return { file, offline: [], live: [], foreign: [] };
}

const about = `# Findings of \`shakedown sabotage\` that are accepted for now, each with its reason.
# An entry that is no longer a finding makes sabotage fail until it is removed: shakedown sabotage --prune,
# or shakedown sabotage --live --prune for the entries under "live".
`;

/** The text of the file: sorted, so that two people who accept different findings rarely touch the same line. */
export function printBaseline(baseline: Baseline): string {
  const parts = baselineParts.flatMap((part) => {
    const entries = entriesOf(baseline, part).map((entry) => printEntry(part, entry));
    return entries.length === 0 ? [] : [`${part}:\n${entries.toSorted().join('')}`];
  });
  return `${about}${parts.length === 0 ? '{}\n' : parts.join('')}`;
}

/** Text quoted as JSON is valid quoted YAML. */
function printEntry<Part extends BaselinePart>(part: Part, entry: AcceptedFinding<Part>): string {
  const values = { ...named(part, entry), reason: entry.reason };
  return Object.entries(values)
    .map(([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

export function parseBaseline(file: string, text: string): Baseline {
  const { value, source } = parseYamlDocument(file, text, 'config.syntax');
  if (!isMap(value)) throw misplaced(source, [], 'expected a map', 'the keys offline, live and foreign');
  for (const key of Object.keys(value)) if (!isPart(key)) throw unknownKey(source, [key], key, baselineParts);
  return {
    file,
    offline: readPart(source, value, 'offline'),
    live: readPart(source, value, 'live'),
    foreign: readPart(source, value, 'foreign'),
  };
}

function readPart<Part extends BaselinePart>(
  source: ConfigSource,
  document: Readonly<Record<string, unknown>>,
  part: Part,
): readonly AcceptedFinding<Part>[] {
  const list = document[part] ?? [];
  if (!Array.isArray(list)) throw misplaced(source, [part], `${part} is not a list`, 'a list of findings');
  const entries = list.map((entry: unknown, index) => readEntry(source, part, entry, index));
  const seen = new Set<string>();
  entries.forEach((entry, index) => {
    const key = keyOf(part, entry);
    if (seen.has(key))
      throw misplaced(source, [part, index], 'this finding is accepted a second time', 'each finding once');
    seen.add(key);
  });
  return entries;
}

function readEntry<Part extends BaselinePart>(
  source: ConfigSource,
  part: Part,
  written: unknown,
  index: number,
): AcceptedFinding<Part> {
  const keys: readonly string[] = [...findingKeys[part], 'reason'];
  const shape = `a map with ${keys.join(', ')}`;
  if (!isMap(written)) throw misplaced(source, [part, index], 'this is not a finding', shape);
  const { lie, ...others } = written;
  const entry = lie === undefined || 'mutant' in written ? written : { ...others, mutant: lie };
  const stranger = Object.keys(entry).find((key) => !keys.includes(key));
  if (stranger !== undefined) throw unknownKey(source, [part, index, stranger], stranger, keys);
  for (const key of keys) {
    const value = entry[key];
    if (typeof value === 'string' && value.trim() !== '') continue;
    const what = value === undefined ? `\`${key}\` is missing` : `\`${key}\` is ${JSON.stringify(value)}`;
    throw misplaced(source, [part, index, key], what, `${shape}, each a text`);
  }
  return { ...entry, line: source.keyLine([part, index]) } as unknown as AcceptedFinding<Part>;
}

const baselineParts = Object.keys(findingKeys) as readonly BaselinePart[];

function isPart(key: string): key is BaselinePart {
  return Object.hasOwn(findingKeys, key);
}

function entriesOf<Part extends BaselinePart>(
  baseline: Baseline,
  part: Part,
): readonly AcceptedFinding<Part>[] {
  return baseline[part] as readonly AcceptedFinding<Part>[];
}

function named<Part extends BaselinePart>(part: Part, finding: FindingName<Part>): FindingName<Part> {
  const values = finding as Readonly<Record<string, string>>;
  return Object.fromEntries(findingKeys[part].map((key) => [key, values[key]])) as FindingName<Part>;
}

function keyOf<Part extends BaselinePart>(part: Part, finding: FindingName<Part>): string {
  return JSON.stringify(Object.values(named(part, finding)));
}

type Path = Parameters<ConfigSource['keyPosition']>[0];

function unknownKey(source: ConfigSource, path: Path, key: string, allowed: readonly string[]): Problem {
  return new Problem({
    code: 'config.unknown-key',
    where: source.keyPosition(path),
    what: `there is no key \`${key}\` here`,
    allowed: allowed.join(', '),
    next: didYouMean(key, allowed, 'remove it'),
  });
}

function misplaced(source: ConfigSource, path: Path, what: string, allowed: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition(path),
    what,
    allowed,
    next: 'correct the entry, or remove it and let it be written: shakedown sabotage --accept "REASON"',
  });
}
