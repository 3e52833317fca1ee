/** A check to paste: one that would have killed the mutant. */
import { checkKind } from '../../kinds/check-kinds.ts';
import { isBareName, type PathKey } from '../../patterns/value-path.ts';
import type { Observed } from './exposure.ts';
import { isMadeAnew } from './risk.ts';

/** YAML, indented as below `checks:`. */
export function suggestCheck({ source, kind, step, keys, value }: Omit<Observed, 'risk' | 'path'>): string {
  // A check cannot refer to a step without a name; the step itself can have an `expect`.
  if (step?.startsWith('#'))
    return `    expect: ${nested(keys, value)} # at step ${step.slice(1)}, or name it: as: …`;
  const name = checkName(step ?? source.split(' ').at(-1) ?? kind, keys);
  const looked = step === undefined ? lookedAt(source, keys) : [`exchange: ${step}`];
  return [`  ${name}:`, ...[...looked, `expect: ${nested(keys, value)}`].map((one) => `    ${one}`)].join(
    '\n',
  );
}

function lookedAt(source: string, [, part]: readonly PathKey[]): readonly string[] {
  const [observer = '', named = '', ...rest] = source.split(' ');
  const { sourceKey, formOf } = checkKind(observer) ?? {};
  // A plugin's source ends with the keys of its query, as JSON.
  if (rest[0]?.startsWith('{'))
    return [`${observer}: ${named}`, ...Object.entries(JSON.parse(rest.join(' '))).map(asLine)];
  if (sourceKey === undefined) return [`${observer}: ${[named, ...rest].join(' ')}`];
  const form = typeof part === 'string' ? formOf?.(part) : undefined;
  return [
    `${observer}: ${named}`,
    ...(rest.length === 0 ? [] : [`${sourceKey}: ${JSON.stringify(rest.join(' '))}`]),
    ...(form === undefined ? [] : [`as: ${form}`]),
  ];
}

function asLine([key, value]: readonly [string, unknown]): string {
  return `${key}: ${JSON.stringify(value)}`;
}

/** For a call on an edge that no check reads. */
export function suggestCall(edge: string, method: string, tool: string | undefined): string {
  const where = tool === undefined ? `{ method: ${method} }` : `{ params: { name: ${tool} } }`;
  const name = checkName(edge.replace(' -> ', '-asks-'), [tool ?? '']);
  return [`  ${name}:`, `    calls: ${edge}`, `    where: ${where}`, '    count: 1'].join('\n');
}

function checkName(base: string, keys: readonly PathKey[]): string {
  const words = [base, ...keys.filter((key) => typeof key === 'string').slice(-1)];
  const name = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(name) ? name : `check-${name}`;
}

/** The pattern that leads to the place; lists are asked for an element, not for their length. */
function nested(keys: readonly PathKey[], value: unknown): string {
  const [key, ...rest] = keys;
  if (key === undefined) return flow(value);
  if (typeof key === 'number') return `{ $some: ${nested(rest, value)} }`;
  return `{ ${isBareName(key) ? key : JSON.stringify(key)}: ${nested(rest, value)} }`;
}

/** Values made anew in every run are asked for their type only. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `{ $length: ${value.length} }`;
  if (isMadeAnew(value)) return '{ $type: string }';
  if (typeof value === 'string' && value.length > 80)
    return `{ $contains: ${JSON.stringify(value.slice(0, 60))} }`;
  return JSON.stringify(value);
}
