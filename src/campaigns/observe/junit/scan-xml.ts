/** Reads XML as a sequence of tags and texts, tolerating whatever a foreign program wrote. Pure. */

export type XmlPart =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Not XML from this line on. */
export class XmlFault extends Error {
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
  }
}

/** A self-closing tag yields both parts. Throws an `XmlFault` where it cannot go on; earlier parts are valid. */
export function* scanXml(source: string): Generator<XmlPart> {
  let at = 0;
  while (at < source.length) {
    const next = source.indexOf('<', at);
    const text = source.slice(at, next < 0 ? source.length : next);
    if (text !== '') yield { kind: 'text', text: decode(text) };
    if (next < 0) return;
    const skipped = skip(source, next);
    if (skipped) {
      if (skipped.text !== '') yield { kind: 'text', text: skipped.text };
      at = skipped.end;
      continue;
    }
    const end = tagEnd(source, next + 1);
    yield* tag(source, next, source.slice(next + 1, end));
    at = end + 1;
  }
}

/** What contains no tags: CDATA, comments, instructions, declarations. Entities of a declaration are not read. */
function skip(source: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (source.startsWith('<![CDATA[', at)) {
    const end = after(source, ']]>', at + 9, 'a CDATA section');
    return { text: source.slice(at + 9, end - 3), end };
  }
  if (source.startsWith('<!--', at)) return { text: '', end: after(source, '-->', at + 4, 'a comment') };
  if (source.startsWith('<?', at)) return { text: '', end: after(source, '?>', at + 2, 'an instruction') };
  if (!source.startsWith('<!', at)) return undefined;
  const inner = source.indexOf('[', at);
  const plain = after(source, '>', at, 'a declaration');
  if (inner < 0 || inner > plain) return { text: '', end: plain };
  return { text: '', end: after(source, ']>', inner, 'a declaration') };
}

function after(source: string, mark: string, from: number, what: string): number {
  const at = source.indexOf(mark, from);
  if (at < 0) throw new XmlFault(lineAt(source, from), `${what} is not closed`);
  return at + mark.length;
}

/** A `>` in a quoted value does not end the tag. */
function tagEnd(source: string, from: number): number {
  let quote = 0;
  for (let at = from; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at;
  }
  throw new XmlFault(lineAt(source, from), 'a tag is not closed');
}

const tagName = /^[^\s/>"'=<]+/;
function* tag(source: string, at: number, inside: string): Generator<XmlPart> {
  const isClosing = inside.startsWith('/');
  const [name] = tagName.exec(isClosing ? inside.slice(1) : inside) ?? [];
  if (name === undefined) throw new XmlFault(lineAt(source, at), 'a tag has no name');
  if (isClosing) {
    yield { kind: 'close', name };
    return;
  }
  const attributes = readAttributes(inside, name.length);
  yield { kind: 'open', name, attributes };
  if (inside.endsWith('/')) yield { kind: 'close', name };
}

/** A value without quotes is skipped. */
function readAttributes(inside: string, from: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  let at = from;
  for (let equals = inside.indexOf('=', at); equals >= 0; equals = inside.indexOf('=', at)) {
    const key = lastWord(inside.slice(at, equals).trimEnd());
    at = equals + 1;
    while (isSpace(inside[at])) at += 1;
    const quote = inside[at];
    if (quote !== '"' && quote !== "'") continue;
    const end = inside.indexOf(quote, at + 1);
    if (end < 0) break;
    if (key !== '') attributes.set(key, decode(inside.slice(at + 1, end)));
    at = end + 1;
  }
  return attributes;
}

function lastWord(text: string): string {
  let begin = text.length;
  while (begin > 0 && !isSpace(text[begin - 1])) begin -= 1;
  return text.slice(begin);
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** An entity that XML does not define stays as written. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] as string) : whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function lineAt(source: string, at: number): number {
  let line = 1;
  for (let next = source.indexOf('\n'); next >= 0 && next < at; next = source.indexOf('\n', next + 1))
    line += 1;
  return line;
}
