/** Secrets never reach a file: every form of a secret's value becomes a stable token that names the form. */
import { FormFinder, type FoundForm } from './find-forms.ts';
import { asBytes, asText, formsOf, inForm, isPlain, labelPattern, shortestForm } from './secret-forms.ts';

export interface Redactor {
  redact(text: string): string;
  /** The same for raw bytes, given and returned as a latin1 string. */
  redactBytes(bytes: string): string;
  /** Of bytes that go on: what is clean whatever follows, and the rest as it came. */
  redactBeginning(bytes: string): { readonly clean: string; readonly rest: string };
  /** Whether the text would be changed. */
  finds(text: string): boolean;
  /** The token in place of a number that is a secret's value; undefined for any other. */
  numberToken(digits: string): string | undefined;
  /** Whether it names a part of the system, or an edge between two: that is not a secret where a part is named. */
  isName(text: string): boolean;
  /** False when there is nothing to look for. */
  readonly hasSecrets: boolean;
  /** A word in place of a credential that is not kept: equal for equal ones. Absent where it cannot be made. */
  readonly markOf?: (credential: string) => string;
  /** A form that begins this far before the end of some bytes is completely in them. */
  readonly reachBytes: number;
}

/** Shorter values would hit ordinary text. */
export const shortestSecret = shortestForm;

/** By name; several values may have the same one. */
export type NamedSecrets =
  | Readonly<Record<string, string | undefined>>
  | readonly (readonly [name: string, value: string | undefined])[];

export function createRedactor(secrets: NamedSecrets, parts: readonly string[] = []): Redactor {
  const entries = (isPairs(secrets) ? secrets : Object.entries(secrets)).flatMap(([name, value]) =>
    value && value.length >= shortestSecret ? [[name, value] as const] : [],
  );
  if (entries.length === 0) return nothingToHide;
  const forms = entries.map(([name, value]) => [name, formsOf(value)] as const);
  const finder = new FormFinder(forms);
  const known = new Set(entries.map(([name]) => name));
  const isAscii = forms.every(([, all]) =>
    all.filter(isPlain).every(([text]) => /^[\x00-\x7f]*$/.test(text)),
  );
  const reach = reachOf(finder.longest);
  const inBytes = (bytes: string): Found => ({
    text: bytes,
    found: unspoken(bytes, finder, byteTokens, known),
  });
  const inText = (text: string): Found =>
    isAscii ? { text, found: unspoken(text, finder, textTokens, known) } : inBytes(asBytes(text));
  const numbers = new Map(
    entries.filter(([, value]) => isNumeral(value)).map(([name, value]) => [decimalOf(value), name]),
  );
  return {
    isName: (text) => text.split(' -> ').every((part) => parts.includes(part)),
    hasSecrets: true,
    reachBytes: reach,
    finds: (text) => inText(text).found.length > 0,
    redact: (text) => {
      const { text: looked, found } = inText(text);
      if (found.length === 0) return text;
      return isAscii ? replaced(looked, found, secretToken) : asText(replaced(looked, found, byteToken));
    },
    redactBytes: (bytes) => replaced(bytes, inBytes(bytes).found, byteToken),
    redactBeginning: (bytes) => {
      const { found } = inBytes(bytes);
      let cut = Math.max(0, bytes.length - reach);
      for (const { start, until } of found) if (start < cut && until > cut) cut = until;
      const before = found.filter(({ end }) => end <= cut);
      return { clean: replaced(bytes.slice(0, cut), before, byteToken), rest: bytes.slice(cut) };
    },
    numberToken: (digits) => {
      if (numbers.size === 0) return undefined;
      const decimal = decimalOf(digits);
      const name = numbers.get(decimal);
      if (name !== undefined) return secretToken(name, 'number');
      const other = numbers.get(decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`);
      return other === undefined ? undefined : secretToken(other, 'number-minus');
    },
  };
}

const nothingToHide: Redactor = {
  isName: () => false,
  hasSecrets: false,
  reachBytes: 0,
  finds: () => false,
  redact: (text) => text,
  redactBytes: (bytes) => bytes,
  redactBeginning: (bytes) => ({ clean: bytes, rest: '' }),
  numberToken: () => undefined,
};

interface Found {
  readonly text: string;
  readonly found: readonly FoundForm[];
}

function isPairs(
  secrets: NamedSecrets,
): secrets is readonly (readonly [name: string, value: string | undefined])[] {
  return Array.isArray(secrets);
}

function isNumeral(value: string): boolean {
  // A parsed number loses its leading zeros; few digits are then too common to be a secret.
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|0+[1-9]\d{5,})$/.test(value);
}

/** One text for all notations of a number: `-12.50`, `-1.25e1`. */
function decimalOf(written: string): string {
  if (/^[1-9]\d*$/.test(written)) return written;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const trailing = /0*$/.exec(digits)?.[0].length ?? 0;
  const scale = Number(exponent) - fraction.length + trailing;
  const bare = digits.slice(0, digits.length - trailing);
  if (bare === '') return written;
  return scale < 0 ? `${sign}${bare}e${scale}` : `${sign}${bare}${'0'.repeat(scale)}`;
}

/** Each character of a form can take up to 36 when it is escaped twice. */
function reachOf(longest: number): number {
  return Math.max(longest, Math.min(longest * 36, 128 * 1024));
}

/** The values of the declared secrets, as far as the environment has them. */
export function secretValues(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/** The text with its tokens replaced by the values they represent; one whose value or form is unknown stays. */
export function showSecrets(text: string, known: (name: string) => string | undefined): string {
  return text.replaceAll(anyToken, (token, name: string, label = '') => {
    const value = known(name);
    return (value === undefined || label === '' ? value : inForm(value, label)) ?? token;
  });
}

const anyToken = /‹secret:([^›:]{1,200})(?::([^›]{1,200}))?›/g;

/** `label` names the form, unless it is the value itself. */
export function secretToken(name: string, label = ''): string {
  return label === '' ? `‹secret:${name}›` : `‹secret:${name}:${label}›`;
}

function byteToken(name: string, label: string): string {
  return asBytes(secretToken(name, label));
}

const textTokens = new RegExp(`‹secret:([^›:]{1,200})(?::${labelPattern})?›`, 'g');
const byteTokens = new RegExp(asBytes(`‹secret:([^:]{1,200}?)(?::${labelPattern})?›`), 'g');

/** What is already in a token is not a secret: it was removed before. */
function unspoken(
  text: string,
  finder: FormFinder,
  tokens: RegExp,
  known: ReadonlySet<string>,
): readonly FoundForm[] {
  const found = finder.find(text);
  if (found.length === 0 || !text.includes('secret:')) return found;
  const spoken = [...text.matchAll(tokens)].filter(
    ([, name = '']) => known.has(name) || known.has(asText(name)),
  );
  let next = 0;
  return found.filter(({ start, end }) => {
    while (next < spoken.length && endOf(spoken[next]) <= start) next += 1;
    return end <= (spoken[next]?.index ?? end);
  });
}

function endOf(token: RegExpExecArray | undefined): number {
  return token ? token.index + token[0].length : 0;
}

function replaced(
  text: string,
  found: readonly FoundForm[],
  token: (name: string, label: string) => string,
): string {
  let clean = '';
  let from = 0;
  for (const { start, end, name, label } of found) {
    clean += text.slice(from, start) + token(name, label);
    from = end;
  }
  return from === 0 ? text : clean + text.slice(from);
}
