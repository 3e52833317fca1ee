/** Parts of a secret that are secrets by themselves: the password of a URL, and the texts of a JSON document. Pure. */
import { isContainer, parseExactJson } from '../kernel/exact-json.ts';

/** Shorter ones would hit ordinary text. */
const shortestPart = 6;

/** Each with the name of its form. What everybody may know, such as the address of a server, is none. */
export function partsOf(value: string): readonly (readonly [text: string, label: string])[] {
  const password = passwordOf(value);
  if (password !== undefined) return [[password, 'password']];
  return textsOf(value)
    .filter(([key, text]) => isSecret(key, text) || partsOf(text).length > 0)
    .map(([, text], index) => [text, `field${index + 1}`]);
}

/** A password that the rest of the address says, too, such as `postgres`, is none. */
function passwordOf(value: string): string | undefined {
  const [, before = '', raw = '', after = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)([^\s@/]+)(@\S*)$/i.exec(value) ?? [];
  const password = decoded(raw);
  return password.length < shortestPart || `${before}${after}`.includes(password) ? undefined : password;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whatever depth they are at, each with the nearest key above it. */
function textsOf(value: string): readonly (readonly [key: string, text: string])[] {
  if (!/^\s*[{[]/.test(value)) return [];
  const parts: [key: string, part: unknown][] = [['', parsed(value)]];
  for (const [key, part] of parts)
    if (isContainer(part))
      for (const [name, inner] of Object.entries(part)) parts.push([Array.isArray(part) ? key : name, inner]);
  return parts.flatMap(([key, part]) => (typeof part === 'string' ? [[key, part] as const] : []));
}

function parsed(value: string): unknown {
  try {
    return parseExactJson(value);
  } catch {
    return undefined; // only its beginning looks like JSON
  }
}

function isSecret(key: string, text: string): boolean {
  if (text.length < shortestPart || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  return (
    secretKey.test(key) ||
    (text.length >= 16 && (/\n/.test(text) || /^(?=.*\d)(?=.*[a-z])[^\s@]*$/i.test(text)))
  );
}

const secretKey = /(?:pass(?:word|wd|phrase)?|secret|token|key|credentials?|auth)$/i;
