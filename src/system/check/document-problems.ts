/** Says what the schema holds against a document: each problem at its own key or value. */
import type { z } from 'zod';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Advice } from '../document/values.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, formatPath, valueAt } from '../source/document-path.ts';
import { showValue, showWithKind } from './show-value.ts';

type Issue = z.core.$ZodIssue;

export function documentProblems(issues: readonly Issue[], document: unknown, source: ConfigSource): Problem[] {
  return issues.flatMap((issue) => toProblems(issue, [], document, source));
}

function toProblems(issue: Issue, base: DocumentPath, document: unknown, source: ConfigSource): Problem[] {
  const path = [...base, ...issue.path.map(toStep)];
  const value = valueAt(document, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], issue.message.split(', '), source));
    case 'invalid_union':
      return unionProblems(issue, path, value, document, source);
    case 'invalid_key':
      return [badName(issue, path, source)];
    case 'custom':
      return [adviseOn(issue, path, value, source)];
    case 'invalid_type':
      return [value === undefined ? missingKey(path, issue.message, source) : wrongType(path, value, issue.message, source)];
    default:
      return [value === undefined ? missingKey(path, issue.message, source) : badValue(path, value, issue, source)];
  }
}

/** Options of our unions differ in kind (text, list, map), so at most one is what the user meant. */
function unionProblems(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: DocumentPath,
  value: unknown,
  document: unknown,
  source: ConfigSource,
): Problem[] {
  if (value === undefined) return [missingKey(path, issue.message, source)];
  const meant = issue.errors.find((branch) => branch.every((inner) => !isOtherKind(inner, value)));
  if (meant) return meant.flatMap((inner) => toProblems(inner, path, document, source));
  return [wrongType(path, value, issue.message, source)];
}

function isOtherKind(issue: Issue, value: unknown): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_value') return typeof issue.values[0] !== typeof value;
  return issue.code === 'invalid_type';
}

function unknownKey(path: DocumentPath, allowed: readonly string[], source: ConfigSource): Problem {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const guess = nearest(key, allowed);
  return new Problem({
    code: 'config.unknown-key',
    where: source.keyPosition(path),
    what: parent.length === 0 ? `\`${key}\` is not a key of a config` : `\`${key}\` is not a key of \`${formatPath(parent)}\``,
    allowed: allowed.join(', '),
    next: guess ? `did you mean \`${guess}\`?` : `remove \`${key}\``,
  });
}

function missingKey(path: DocumentPath, allowed: string, source: ConfigSource): Problem {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  return new Problem({
    code: 'config.missing-key',
    where: source.keyPosition(parent),
    what: parent.length === 0 ? `the config has no \`${key}\`` : `\`${formatPath(parent)}\` has no \`${key}\``,
    allowed: `\`${key}\`: ${allowed}`,
    next: `add \`${key}\``,
  });
}

function wrongType(path: DocumentPath, value: unknown, allowed: string, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.wrong-type',
    where: source.valuePosition(path),
    what: path.length === 0 ? `the config is ${showWithKind(value)}` : `\`${formatPath(path)}\` is ${showWithKind(value)}`,
    allowed,
    next: nextForType(value, allowed),
  });
}

function nextForType(value: unknown, allowed: string): string {
  if (typeof value === 'number' && allowed.startsWith('a duration')) return `write a unit after it: \`${value}s\` or \`${value}ms\``;
  if (typeof value === 'number' || typeof value === 'boolean') {
    if (allowed.includes('a text')) return `put it in quotes: '${value}'`;
  }
  return value === null ? 'give it a value, or remove the key' : 'change the value';
}

function badValue(path: DocumentPath, value: unknown, issue: Issue, source: ConfigSource): Problem {
  const choices = issue.code === 'invalid_value' ? issue.values.filter((choice) => typeof choice === 'string') : [];
  const guess = typeof value === 'string' ? nearest(value, choices) : undefined;
  return new Problem({
    code: 'config.bad-value',
    where: source.valuePosition(path),
    what: `\`${formatPath(path)}\` is ${showValue(value)}`,
    allowed: issue.message,
    next: guess ? `did you mean \`${guess}\`?` : 'change the value',
  });
}

function badName(issue: Extract<Issue, { code: 'invalid_key' }>, path: DocumentPath, source: ConfigSource): Problem {
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

function adviseOn(issue: Issue, path: DocumentPath, value: unknown, source: ConfigSource): Problem {
  const advice = adviceOf(issue);
  const subject = path.length === 0 ? 'the config' : `\`${formatPath(path)}\``;
  return new Problem({
    code: advice.code ?? 'config.bad-value',
    where: advice.at === 'key' ? source.keyPosition(path) : source.valuePosition(path),
    what: advice.what === undefined ? `${subject} is ${showValue(value)}` : `${subject}: ${advice.what}`,
    allowed: issue.message,
    next: advice.next ?? 'change the value',
  });
}

function adviceOf(issue: Issue | undefined): Advice {
  return issue?.code === 'custom' ? ((issue.params ?? {}) as Advice) : {};
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step);
}
