/** Turns schema issues of a document into problems, each at its own key or value. */
import type { z } from 'zod';
import { isContainer } from '../../kernel/exact-json.ts';
import { nearest } from '../../kernel/nearest.ts';
import { meantKey } from '../../kernel/other-words.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Advice } from '../../kinds/kind/values.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, formatPath, valueAt } from '../source/document-path.ts';
import { isKeyPlace } from './hide-typed-keys.ts';

type Issue = z.core.$ZodIssue;

/** An issue at its full path, with unions narrowed down to the intended option. */
interface Finding {
  readonly path: DocumentPath;
  readonly value: unknown;
  readonly issue: Issue;
  /** Of a missing key that discriminates a union: the misspelt key that was written instead. */
  readonly misspelt?: string | undefined;
}

/** The form of a document. */
export type DocumentSchema = z.ZodType;

/** What kind of document it is: a config, a trial. */
export interface DocumentKind {
  readonly noun: string;
  /** A value that cannot be validated yet, because something is still to be filled in. */
  isOpen(path: DocumentPath, value: unknown): boolean;
}

export function documentProblems(
  issues: readonly Issue[],
  document: unknown,
  source: ConfigSource,
  kind: DocumentKind = configKind,
): Problem[] {
  const findings = issues.flatMap((issue) => open(issue, [], document, kind));
  return withoutEchoes(findings).flatMap((finding) => toProblems(finding, source, kind.noun));
}

const configKind: DocumentKind = { noun: 'config', isOpen: isFilledInLater };

function open(issue: Issue, base: DocumentPath, document: unknown, kind: DocumentKind): Finding[] {
  const path = [...base, ...issue.path.map(toStep)];
  const value = valueAt(document, path);
  if (kind.isOpen(path, value)) return [];
  const meant = issue.code === 'invalid_union' && value !== undefined ? meantOption(issue, value) : undefined;
  if (meant) return meant.flatMap((inner) => open(inner, path, document, kind));
  return [{ path, value, issue, misspelt: misspeltDiscriminator(issue, path, value, document) }];
}

/** A misspelt key is reported once, not also as a missing key. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const misspelt = new Map<string, readonly (string | undefined)[]>();
  for (const { path, issue } of findings) {
    if (issue.code !== 'unrecognized_keys') continue;
    misspelt.set(
      formatPath(path),
      issue.keys.map((key) => meantKey(key, allowedKeys(issue))),
    );
  }
  return findings.filter(({ path, value, issue }) => {
    if (issue.code === 'custom') return !(adviceOf(issue).absence && misspelt.has(formatPath(path)));
    return value !== undefined || !misspelt.get(formatPath(path.slice(0, -1)))?.includes(String(path.at(-1)));
  });
}

function toProblems(
  { path, value, issue, misspelt }: Finding,
  source: ConfigSource,
  noun: string,
): Problem[] {
  if (misspelt !== undefined)
    return [unknownKey([...path.slice(0, -1), misspelt], [String(path.at(-1))], source, noun)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], allowedKeys(issue), source, noun));
    case 'invalid_key':
      return [badName(issue, path, source)];
    case 'custom':
      if (value === undefined && adviceOf(issue).what === undefined)
        return [missingKey(path, issue.message, source, noun)];
      return [adviseOn(issue, path, value, source, noun)];
    default:
      if (value === undefined) return [missingKey(path, issue.message, source, noun)];
      if (issue.code === 'invalid_union' && typeof value === 'string' && isDiscriminator(issue, path))
        return [badValue(path, value, issue, source)];
      return issue.code === 'invalid_type' || issue.code === 'invalid_union'
        ? [wrongType(path, value, issue.message, source, noun)]
        : [badValue(path, value, issue, source)];
  }
}

/** The key that discriminates the options of a union. */
function isDiscriminator(issue: Extract<Issue, { code: 'invalid_union' }>, path: DocumentPath): boolean {
  return 'discriminator' in issue && issue.discriminator === path.at(-1);
}

function misspeltDiscriminator(
  issue: Issue,
  path: DocumentPath,
  value: unknown,
  document: unknown,
): string | undefined {
  if (issue.code !== 'invalid_union' || value !== undefined || !isDiscriminator(issue, path))
    return undefined;
  const owner = valueAt(document, path.slice(0, -1));
  return typeof owner === 'object' && owner !== null
    ? nearest(String(path.at(-1)), Object.keys(owner))
    : undefined;
}

/** A text of a roster's service is validated once the manifest has been filled in. */
function isFilledInLater(path: DocumentPath, value: unknown): boolean {
  return (
    path[0] === 'rosters' && path[2] === 'service' && typeof value === 'string' && value.includes('${it.')
  );
}

/** Options of our unions differ in kind (text, list, map), so at most one is what the user meant. */
function meantOption(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown): Issue[] | undefined {
  return issue.errors.find((option) => option.every((inner) => !isOtherKind(inner, value)));
}

function isOtherKind(issue: Issue, value: unknown): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_value') return typeof issue.values[0] !== typeof value;
  return issue.code === 'invalid_type';
}

function unknownKey(
  path: DocumentPath,
  allowed: readonly string[],
  source: ConfigSource,
  noun: string,
): Problem {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const guess = meantKey(key, allowed);
  return new Problem({
    code: 'config.unknown-key',
    where: source.keyPosition(path),
    what: `\`${key}\` is not a key of ${named(parent, `a ${noun}`)}`,
    allowed: allowed.join(', '),
    next: guess ? `did you mean \`${guess}\`?` : `remove \`${key}\``,
  });
}

function missingKey(path: DocumentPath, allowed: string, source: ConfigSource, noun: string): Problem {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  return new Problem({
    code: 'config.missing-key',
    where: source.keyPosition(parent),
    what: `${named(parent, `the ${noun}`)} has no \`${key}\``,
    allowed: `\`${key}\`: ${allowed}`,
    next: `add \`${key}\``,
  });
}

function wrongType(
  path: DocumentPath,
  value: unknown,
  allowed: string,
  source: ConfigSource,
  noun: string,
): Problem {
  return new Problem({
    code: 'config.wrong-type',
    where: source.valuePosition(path),
    what: `${named(path, `the ${noun}`)} is ${showWithKind(value)}`,
    allowed,
    next: nextForType(value, allowed),
  });
}

function nextForType(value: unknown, allowed: string): string {
  if (value === null) return 'give it a value, or remove the key';
  if (typeof value === 'string' && allowed.startsWith('a list')) return `write a list: [${value}]`;
  if (typeof value === 'number' && allowed.startsWith('a duration'))
    return `write a unit after it: \`${value}s\` or \`${value}ms\``;
  if (typeof value === 'number' && allowed.includes('{ port:'))
    return `write { port: ${value} }, or { env: 'PORT' } and let Shakedown choose`;
  if (typeof value !== 'object' && allowed.includes('a text')) return `put it in quotes: '${value}'`;
  return 'change the value';
}

function badValue(path: DocumentPath, value: unknown, issue: Issue, source: ConfigSource): Problem {
  const choices =
    issue.code === 'invalid_value'
      ? issue.values.filter((choice) => typeof choice === 'string')
      : issue.code === 'invalid_union'
        ? issue.message.split(', ')
        : [];
  const guess = typeof value === 'string' ? nearest(value, choices) : undefined;
  return new Problem({
    code: 'config.bad-value',
    where: source.valuePosition(path),
    what: `\`${formatPath(path)}\` is ${isKeyPlace(path) ? hiddenKey : showValue(value)}`,
    allowed: issue.message,
    next: guess ? `did you mean \`${guess}\`?` : isKeyPlace(path) ? keyAdvice : 'change the value',
  });
}

const hiddenKey = 'no name; it is not shown, because it may be the key itself';
const keyAdvice = 'put the key into an environment variable, and write the name of that variable here';

function badName(
  issue: Extract<Issue, { code: 'invalid_key' }>,
  path: DocumentPath,
  source: ConfigSource,
): Problem {
  const [inner] = issue.issues;
  const advice = adviceOf(inner);
  const key = String(path.at(-1));
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition(path),
    what: `${JSON.stringify(key)} cannot be a name in \`${formatPath(path.slice(0, -1))}\``,
    allowed: inner?.message ?? issue.message,
    next: advice.next ?? 'rename it',
  });
}

function adviseOn(
  issue: Issue,
  path: DocumentPath,
  value: unknown,
  source: ConfigSource,
  noun: string,
): Problem {
  const advice = adviceOf(issue);
  const subject = named(path, `the ${noun}`);
  return new Problem({
    code: advice.code ?? 'config.bad-value',
    where: advice.at === 'key' ? source.keyPosition(path) : source.valuePosition(path),
    what: advice.what === undefined ? `${subject} is ${showValue(value)}` : `${subject}: ${advice.what}`,
    allowed: issue.message,
    next: advice.next ?? 'change the value',
  });
}

function named(path: DocumentPath, whole: string): string {
  return path.length === 0 ? whole : `\`${formatPath(path)}\``;
}

/** The message of an object that refuses a key is the list of its keys. */
function allowedKeys(issue: Issue): string[] {
  return issue.message.split(', ');
}

function adviceOf(issue: Issue | undefined): Advice {
  return issue?.code === 'custom' ? ((issue.params ?? {}) as Advice) : {};
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step);
}

const longest = 60;

export function showValue(value: unknown): string {
  if (Array.isArray(value) && value.length > 3) return `a list of ${value.length}`;
  const written = JSON.stringify(value) ?? String(value);
  if (written.length <= longest) return written;
  return typeof value === 'object' ? kindOf(value) : `${written.slice(0, longest)}…`;
}

/** `15, a number`. */
export function showWithKind(value: unknown): string {
  return value === null ? 'empty' : `${showValue(value)}, ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isContainer(value)) return 'a map';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'a truth value' : 'a number';
}
