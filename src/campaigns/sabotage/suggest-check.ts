/** A check to paste: what would have noticed the lie. */
import { isBareName, type PathKey } from '../../patterns/value-path.ts';
import { isMadeAnew } from './risk.ts';

export interface Unread {
  readonly source: string;
  readonly kind: string;
  readonly step?: string;
  readonly keys: readonly PathKey[];
  readonly value: unknown;
}

/** YAML, indented as it stands below `checks:`. */
export function suggestCheck({ source, kind, step, keys, value }: Unread): string {
  // A step without a name cannot be spoken of by a check; what it expects itself can be said.
  if (step?.startsWith('#'))
    return `    expect: ${nested(keys, value)} # at step ${step.slice(1)}, or name it: as: …`;
  const name = checkName(step ?? source.split(' ').at(-1) ?? kind, keys);
  const [observer, ...rest] = source.split(' ');
  const looked = step === undefined ? `${observer}: ${rest.join(' ')}` : `exchange: ${step}`;
  return [`  ${name}:`, `    ${looked}`, `    expect: ${nested(keys, value)}`].join('\n');
}

/** For a call on an edge that nobody reads. */
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

/** The pattern that leads to the place; lists are asked for an element, as their length is another matter. */
function nested(keys: readonly PathKey[], value: unknown): string {
  const [key, ...rest] = keys;
  if (key === undefined) return flow(value);
  if (typeof key === 'number') return `{ $some: ${nested(rest, value)} }`;
  return `{ ${isBareName(key) ? key : JSON.stringify(key)}: ${nested(rest, value)} }`;
}

/** What is made anew in every run is asked for its kind only. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `{ $length: ${value.length} }`;
  if (isMadeAnew(value)) return '{ $type: string }';
  if (typeof value === 'string' && value.length > 80)
    return `{ $contains: ${JSON.stringify(value.slice(0, 60))} }`;
  return JSON.stringify(value);
}
