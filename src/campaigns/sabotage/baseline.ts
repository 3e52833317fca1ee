/** The findings of sabotage that a team has accepted for now, each with its reason: what is new, what is accepted, what is stale. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';

/** What names a finding, by the part of the file in which it stands. */
export const findingKeys = {
  offline: ['trial', 'check'],
  live: ['service', 'lie', 'trial'],
  foreign: ['service', 'lie', 'test'],
} as const;

export type BaselinePart = keyof typeof findingKeys;

export type FindingName<Part extends BaselinePart> = Readonly<
  Record<(typeof findingKeys)[Part][number], string>
>;

export type AcceptedFinding<Part extends BaselinePart> = FindingName<Part> & {
  readonly reason: string;
  /** Where it stands in the file; absent for one that is not written yet. */
  readonly line?: number;
};

export type Baseline = { readonly file: string } & {
  readonly [Part in BaselinePart]: readonly AcceptedFinding<Part>[];
};

export interface Held<Part extends BaselinePart, Finding> {
  /** Not accepted by anybody. */
  readonly open: readonly Finding[];
  readonly accepted: readonly (Finding & { readonly reason: string })[];
  /** Accepted once, and no finding any more: the entry has to go. */
  readonly stale: readonly AcceptedFinding<Part>[];
}

/** An entry that was not judged this time, because another service was asked for or the time was over, cannot be stale. */
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

/** The findings of now stand in it with this reason, those that were accepted before with their own; stale entries are gone. */
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

/** Nothing is added. */
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
# An entry that is no finding any more makes sabotage fail until it is removed: shakedown sabotage --prune,
# or shakedown sabotage --live --prune for what stands under "live".
`;

/** As the file holds it: sorted, so that two people who accept different findings rarely meet in one line. */
export function printBaseline(baseline: Baseline): string {
  const parts = baselineParts.flatMap((part) => {
    const entries = entriesOf(baseline, part).map((entry) => printEntry(part, entry));
    return entries.length === 0 ? [] : [`${part}:\n${entries.toSorted().join('')}`];
  });
  return `${about}${parts.length === 0 ? '{}\n' : parts.join('')}`;
}

/** Text in quotes of JSON is text in quotes of YAML. */
function printEntry<Part extends BaselinePart>(part: Part, entry: AcceptedFinding<Part>): string {
  const values = { ...named(part, entry), reason: entry.reason };
  return Object.entries(values)
    .map(([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

export function parseBaseline(file: string, text: string): Baseline {
  const { value, source } = parseYamlDocument(file, text, 'config.syntax');
  if (!isMap(value)) throw misplaced(source, [], 'it holds no map', 'the keys offline, live and foreign');
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
  if (!Array.isArray(list)) throw misplaced(source, [part], `${part} is no list`, 'a list of findings');
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
  entry: unknown,
  index: number,
): AcceptedFinding<Part> {
  const keys: readonly string[] = [...findingKeys[part], 'reason'];
  const shape = `a map with ${keys.join(', ')}`;
  if (!isMap(entry)) throw misplaced(source, [part, index], 'this is no finding', shape);
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

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
  const guess = nearest(key, allowed);
  return new Problem({
    code: 'config.unknown-key',
    where: source.keyPosition(path),
    what: `there is no key \`${key}\` here`,
    allowed: allowed.join(', '),
    next: guess === undefined ? 'remove it' : `did you mean \`${guess}\`?`,
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
