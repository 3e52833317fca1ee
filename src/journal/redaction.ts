/** Secrets never reach a file: every form of a secret's value becomes a stable token. */

export interface Redactor {
  redact(text: string): string;
  /** The same for raw bytes, given and returned as a latin1 string. */
  redactBytes(bytes: string): string;
  /** Length in bytes of the longest form of any secret; 0 when there is none. */
  readonly longestBytes: number;
}

/** Shorter values would hit ordinary text. */
export const shortestSecret = 4;

/** By name; several values may have the same one. */
export type NamedSecrets =
  | Readonly<Record<string, string | undefined>>
  | readonly (readonly [name: string, value: string | undefined])[];

export function createRedactor(secrets: NamedSecrets): Redactor {
  const entries = isPairs(secrets) ? secrets : Object.entries(secrets);
  const forms = entries
    .flatMap(([name, value]) => (value && value.length >= shortestSecret ? formsOf(name, value) : []))
    .sort((a, b) => b.text.length - a.text.length);
  const byteForms = forms.map(({ name, text }) => ({ name, text: asBytes(text) }));
  return {
    longestBytes: Math.max(0, ...byteForms.map(({ text }) => text.length)),
    redact: replacer(forms, secretToken),
    redactBytes: replacer(byteForms, (name) => asBytes(secretToken(name))),
  };
}

function isPairs(
  secrets: NamedSecrets,
): secrets is readonly (readonly [name: string, value: string | undefined])[] {
  return Array.isArray(secrets);
}

/** The values of the declared secrets, as far as the environment has them. */
export function secretValues(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

export function secretToken(name: string): string {
  return `‹secret:${name}›`;
}

interface Form {
  readonly name: string;
  readonly text: string;
}

/** The value as it is, inside JSON, inside an address, and as base64. */
function formsOf(name: string, value: string): Form[] {
  const texts = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ];
  return [...new Set(texts)].map((text) => ({ name, text }));
}

function replacer(forms: readonly Form[], token: (name: string) => string): (text: string) => string {
  if (forms.length === 0) return (text) => text;
  const nameOf = new Map(forms.map(({ name, text }) => [text, name]));
  const any = new RegExp(forms.map(({ text }) => escapeRegExp(text)).join('|'), 'g');
  return (text) => text.replace(any, (found) => token(nameOf.get(found) as string));
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
