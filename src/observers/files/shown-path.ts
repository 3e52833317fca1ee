/** Names of files are bytes; here they become texts, each name another one. Pure. */

/** Takes and gives a path with `/`; its bytes come as the characters of Latin-1, one each. */
export function shownPath(raw: string): string {
  return plain.test(raw) ? raw : raw.split('/').map(shownName).join('/');
}

/** Printed without a change. */
const plain = /^[\x20-\x5b\x5d-\x7e]*$/;
/** What a name that is not printed as it is holds at least once, and no other does. */
const escaped = /\\x[0-9a-f]{2}/;

/** Bytes that are not UTF-8 become `\xff`. Then, and where a name itself has such letters, each backslash is `\x5c`. */
function shownName(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1');
  const parts: string[] = [];
  let isText = true;
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    isText &&= character !== undefined;
    parts.push(character ?? hex(bytes[at] ?? 0));
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  const text = parts.join('');
  return isText && !escaped.test(text)
    ? text
    : parts.map((part) => (part === '\\' ? hex(backslash) : part)).join('');
}

const backslash = 0x5c;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined where no character of UTF-8 begins. */
function characterAt(bytes: Buffer, at: number): string | undefined {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    return decoder.decode(bytes.subarray(at, at + length));
  } catch {
    return undefined;
  }
}

function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
