/** Parts of a secret that are secrets by themselves: a parsed URL, document or settings list has them alone. Pure. */
import { isUtf8 } from 'node:buffer';
import { createPrivateKey } from 'node:crypto';
import { isContainer, parseExactJson } from '../kernel/exact-json.ts';
import { percentDecoded } from '../kernel/percent-decoded.ts';

/** Shorter ones would hit ordinary text. */
const shortestPart = 6;
/** With less, an ordinary word may happen to be the base64. */
const shortestDecoded = 8;
const shortestTelling = 16;
/** Of a word in small letters that may be a password, or a name of something. */
const shortestUnnamed = 12;

/** Each with the name of its form. Public parts, such as the address of a server, do not count. */
export function partsOf(value: string): readonly (readonly [text: string, label: string])[] {
  const password = passwordOf(value);
  const fields = [
    ...new Set(textsOf(value) ?? [...meaningOf(value), ...wordsOf(value), ...numbersOf(value)]),
  ].filter((part) => part !== value && part !== password);
  return [
    ...(password === undefined ? [] : [[password, 'password'] as const]),
    ...fields.map((part, index) => [part, `field${index + 1}`] as const),
  ];
}

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

export function isAddress(text: string): boolean {
  return address.test(text);
}

const credentials = /^([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)([^\s@/]+)(@\S*)$/i;

/** A user without a password is a token. */
const loneUser = /^(https?:\/\/)([^\s:@/]+)(:?@\S*)$/i;

/** A password that the rest of the address contains, too, such as `postgres`, does not count. */
function passwordOf(value: string): string | undefined {
  const [, before = '', raw = '', after = ''] = credentials.exec(value) ?? loneUser.exec(value) ?? [];
  const password = percentDecoded(raw);
  return password.length < shortestPart || `${before}${after}`.includes(password) ? undefined : password;
}

/** Where it is in the address, as it is written there. */
export function passwordPlace(value: string): readonly [start: number, end: number] | undefined {
  if (passwordOf(value) === undefined) return undefined;
  const [, before = '', raw = ''] = credentials.exec(value) ?? loneUser.exec(value) ?? [];
  return [before.length, before.length + raw.length];
}

/** Of a JSON document, at any depth; undefined when it is not JSON. */
function textsOf(value: string): readonly string[] | undefined {
  const document = /^\s*[{[]/.test(value) ? parsed(value) : undefined;
  if (!isContainer(document)) return undefined;
  const parts: [key: string, part: unknown][] = [['', document]];
  for (const [key, part] of parts)
    if (isContainer(part))
      for (const [name, inner] of Object.entries(part)) parts.push([Array.isArray(part) ? key : name, inner]);
  return parts.flatMap(([key, part]) =>
    typeof part === 'string' && (isSecret(key, part) || partsOf(part).length > 0) ? [part] : [],
  );
}

function parsed(value: string): unknown {
  try {
    return parseExactJson(value);
  } catch {
    return undefined; // only its beginning looks like JSON
  }
}

/** What a program makes of it before anything else: of line ends that are written as `\n`, and of a text in base64 or hexadecimal, such as Basic credentials. */
function meaningOf(value: string): readonly string[] {
  if (value.includes('\\n')) return [value.replaceAll(/(?:\\+r)?\\+n/g, '\n')];
  const written = passwordOfPair(value);
  if (written !== undefined && (written.length >= shortestUnnamed || /[^a-z]/.test(written)))
    return [written];
  const bytes = spelledBytes(value);
  const text = bytes.toString();
  const isText = text.length >= shortestDecoded && isUtf8(bytes) && !/[\0-\x08\x0e-\x1f\x7f]/.test(text);
  const password = passwordOfPair(text);
  return isText ? [text, ...(password === undefined ? [] : [password])] : [];
}

/** Of `user:password`, as for Basic credentials and `curl -u`. */
function passwordOfPair(text: string): string | undefined {
  const [, user = '', password = ''] = /^([^\s:"{[<]+):(\S.{5,})$/.exec(text) ?? [];
  return password === '' || isAddress(text) || user.includes(password) ? undefined : password;
}

/** Of a private key, as a JWK has them; those of its public key are not secret. */
function numbersOf(value: string): readonly string[] {
  if (!/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/.test(value)) return [];
  try {
    const { d, p, q, dp, dq, qi } = createPrivateKey(value).export({ format: 'jwk' });
    return [d, p, q, dp, dq, qi].filter((number) => number !== undefined);
  } catch {
    return []; // needs a passphrase, or is not a key
  }
}

/** None where the value is neither base64 nor hexadecimal, or digits alone. */
export function spelledBytes(value: string): Buffer {
  const text = value.replaceAll(/[\r\n]/g, '');
  const digits = text.replaceAll(/[-:]/g, '');
  if (/^\d*$/.test(digits)) return Buffer.alloc(0);
  if (/^(?:[0-9a-f]{2})+$/i.test(digits)) return Buffer.from(digits, 'hex');
  return Buffer.from(/^[\w+/-]+={0,2}$/.test(text) ? text : '', 'base64');
}

/** Of YAML, XML, a form, settings, or the path after the host of an address: whatever is not punctuation of these. */
function wordsOf(value: string): readonly string[] {
  const signs = isAddress(value) ? /[/?&=#:@]+/ : /[\s"'<>&=,;:{}[\]()|]+/;
  const named = [...value.matchAll(/([\w-]+)["']?\s*[:=>]\s*["']?([^\s"'<>&,;:=@/{}[\]()|]+)/g)];
  return [
    ...named.flatMap(([, key = '', word = '']) => (isSecret(key, word) ? [word] : [])),
    ...value.split(signs).filter((word) => isSecret('', word)),
  ];
}

/** In a text that was extracted from a value, most lines are ordinary words. */
export function isReporting(line: string): boolean {
  return line.length >= shortestTelling || isSecret('', line);
}

function isSecret(key: string, text: string): boolean {
  if (text.length < shortestPart || isAddress(text)) return false;
  return secretKey.test(key) || (/\n/.test(text) && text.length >= shortestTelling) || looksRandom(text);
}

const secretKey = /(?:pass(?:word|wd|phrase)?|secret|token|key|credentials?|auth)$/i;

function looksRandom(text: string): boolean {
  const hasBoth = /^(?=.*\d)(?=.*[a-z])[^\s@]*$/i.test(text);
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(text);
  return (
    hasBoth && !isHost && (text.length >= 16 || (text.length >= 12 && /(?=.*[a-z])(?=.*[A-Z])/.test(text)))
  );
}
