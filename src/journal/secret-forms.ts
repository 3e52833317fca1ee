/** The forms in which a value travels, each with its name: what a token says, and what is looked for. Pure, all in latin1 bytes. */
import { isReporting, partsOf, spelledBytes } from './secret-parts.ts';

/** A text that gives the value away, and the name of its form: empty for the value as it is. */
export type Form = readonly [text: string, label: string];

/** Shorter ones would hit ordinary text. */
export const shortestForm = 4;
const shortestLine = 6;
const shortestCased = 8;
const shortestKey = 12;
/** Of fewer different ones, such as zeros alone, ordinary data consists. */
const fewestBytes = 4;

/**
 * Each text once, under the first name that fits. Spellings by escapes are not among them: they are undone while looking
 * (`escape-layers.ts`), except inside an encoding, where that is impossible.
 */
export function formsOf(value: string): readonly Form[] {
  const once = new Map<string, string>();
  for (const [text, label] of namedForms(value))
    if (text.length >= shortestForm && !once.has(text)) once.set(text, label);
  return [...once];
}

/** A text may have several names. */
function namedForms(value: string): readonly Form[] {
  const whole = asBytes(value);
  const inner: Form[] = [[whole, ''], ...spellingsOf(value), ...otherCharsets(value), ...encodingsOf(whole)];
  return [
    [whole, ''] as const,
    ...(value.includes(' ') ? [[whole.replaceAll(' ', '+'), 'plus'] as const] : []),
    ...inner.flatMap(([text, label]) => encodingsOf(text).map((form) => under(label, form))),
    ...separatedBytes(whole),
    ...otherCharsets(value),
    ...quotedForms(value),
    ...otherCases(value),
    ...wrappedPieces(whole),
    ...linesOf(value),
    ...partForms(value),
    ...decodedForms(value),
  ];
}

/** The value as it is, and what of it is a secret by itself: in these, escapes are undone. */
export function isPlain([, label]: Form): boolean {
  return /^(?:(?:field\d+|password|nf[cd])(?:\.|$))*$/.test(label);
}

/** The value again, as a token with this label represents it; undefined where the label says too little. */
export function inForm(value: string, label: string): string | undefined {
  const bytes = bytesInForm(value, label);
  return bytes === undefined ? undefined : asText(bytes);
}

function bytesInForm(value: string, label: string): string | undefined {
  const exact = label === '' ? [asBytes(value)] : namedForms(value).find((form) => form[1] === label);
  if (exact) return exact[0];
  const cut = label.lastIndexOf('.');
  const [, from = '0', to] = /^(?:.*\.)?(?:part(\d+)-|first)(\d+)$/.exec(label) ?? [];
  const outer = label.slice(cut + 1);
  const spell = spellings.find(([name]) => name === outer)?.[2];
  const spellList = listSpellings.find(([name]) => name === outer)?.[1];
  const inner =
    to !== undefined || spell || spellList ? bytesInForm(value, label.slice(0, Math.max(0, cut))) : undefined;
  if (inner === undefined || to !== undefined) return inner?.slice(Number(from), Number(to));
  return spell ? asBytes(spell(asText(inner))) : spellList?.(inner);
}

export type EscapeKind = 'percent' | 'json' | 'html';

/** The usual ways to write a text with escapes. */
export const spellings: readonly (readonly [
  name: string,
  kind: EscapeKind,
  spell: (text: string) => string,
])[] = [
  ['percent', 'percent', percent],
  ['percent-lower', 'percent', (text) => lowerEscapes(percent(text))],
  ['percent-strict', 'percent', strict],
  ['percent-strict-lower', 'percent', (text) => lowerEscapes(strict(text))],
  ['form', 'percent', (text) => new URLSearchParams([['', text]]).toString().slice(1)],
  ['percent-all', 'percent', (text) => everyByte(text).toUpperCase()],
  ['percent-all-lower', 'percent', everyByte],
  ['json', 'json', json],
  ['json-ascii', 'json', (text) => inUnicode(json(text), /[^\x00-\x7f]/g)],
  ['json-php', 'json', (text) => inUnicode(json(text), /[^\x00-\x7f]/g).replaceAll('/', '\\/')],
  ['json-go', 'json', (text) => inUnicode(json(text), /[<>&]/g)],
  ['json-net', 'json', jsonOfNet],
  ['unicode', 'json', (text) => eachUnit(text, (code) => `\\u${hex(code, 4)}`)],
  ['unicode-upper', 'json', (text) => eachUnit(text, (code) => `\\u${hex(code, 4).toUpperCase()}`)],
  ['html', 'html', (text) => text.replaceAll(/[&<>"']/g, (char) => entities[char] as string)],
  ['html-decimal', 'html', (text) => eachPoint(text, (code) => `&#${code};`)],
  ['html-hex', 'html', (text) => eachPoint(text, (code) => `&#x${hex(code, 1)};`)],
];

/** The usual ways to write bytes as numbers; such lists are read while looking (`number-lists.ts`). */
export const listSpellings: readonly (readonly [name: string, spell: (bytes: string) => string])[] = [
  ['bytes', (bytes) => numbersOf(bytes).join(',')],
  ['bytes-comma', (bytes) => numbersOf(bytes).join(', ')],
  ['bytes-space', (bytes) => numbersOf(bytes).join(' ')],
  ['bytes-signed', (bytes) => signedOf(bytes).join(',')],
  ['bytes-java', (bytes) => signedOf(bytes).join(', ')],
  ['bytes-lines', (bytes) => numbersOf(bytes).join(',\n    ')],
  [
    'bytes-keys',
    (bytes) =>
      numbersOf(bytes)
        .map((byte, index) => `"${index}":${byte}`)
        .join(),
  ],
  [
    'hex-list',
    (bytes) =>
      numbersOf(bytes)
        .map((byte) => `0x${hex(byte, 2)}`)
        .join(', '),
  ],
];

function numbersOf(bytes: string): readonly number[] {
  return [...Buffer.from(bytes, 'latin1')];
}

function signedOf(bytes: string): readonly number[] {
  return [...new Int8Array(Buffer.from(bytes, 'latin1'))];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function strict(text: string): string {
  return percent(text).replaceAll(/[!'()*]/g, (char) => `%${hex(char.charCodeAt(0), 2).toUpperCase()}`);
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%../g, (unit) => unit.toLowerCase());
}

function everyByte(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inUnicode(text: string, signs: RegExp): string {
  return text.replaceAll(signs, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

function jsonOfNet(text: string): string {
  return json(text)
    .replaceAll('\\"', '"')
    .replaceAll(/["&'+<>`]|[^\x00-\x7f]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4).toUpperCase()}`);
}

function eachUnit(text: string, spell: (code: number) => string): string {
  return text.replaceAll(/[\s\S]/g, (unit) => spell(unit.charCodeAt(0)));
}

function eachPoint(text: string, spell: (code: number) => string): string {
  return [...text].map((point) => spell(point.codePointAt(0) as number)).join('');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function spellingsOf(value: string): readonly Form[] {
  return spellings.map(([label, , spell]) => [asBytes(spell(value)), label] as const);
}

/** Base64 of a whole text, and inside of more for each of three alignments; its digits. */
function encodingsOf(text: string): readonly Form[] {
  const bytes = Buffer.from(text, 'latin1');
  const standard = bytes.toString('base64');
  const url = bytes.toString('base64url');
  const whole: Form[] = [
    [standard, 'base64'],
    [url, 'base64url'],
    [standard.replaceAll('=', ''), 'base64-bare'],
    [url + standard.slice(url.length), 'base64url-padded'],
  ];
  const inside = coresOf(text).flatMap(([core, label]): Form[] => [
    [core, label],
    [urlSafe(core), label.replace('base64', 'base64url')],
  ]);
  return [...whole, ...inside, ...digitsOf(text)];
}

/** The part of base64 that does not depend on what surrounds the text. */
export function coresOf(text: string): readonly Form[] {
  const bytes = Buffer.from(text, 'latin1');
  return [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = shifted.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, `base64+${offset}`];
  });
}

export function digitsOf(text: string): readonly Form[] {
  const digits = Buffer.from(text, 'latin1').toString('hex');
  return [
    [digits, 'hex'],
    [digits.toUpperCase(), 'hex-upper'],
  ];
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

/** Sent as latin1, that read as UTF-8, and UTF-8 read as latin1, as headers often are; accents as signs of their own, or not. */
function otherCharsets(value: string): readonly Form[] {
  if (!/[^\x00-\x7f]/.test(value)) return [];
  const others: Form[] = [
    [asBytes(asBytes(value)), 'misread'],
    [asBytes(value.normalize('NFC')), 'nfc'],
    [asBytes(value.normalize('NFD')), 'nfd'],
  ];
  // Escapes of Python and JavaScript write small code points as `\xfc`, like a byte, and others as `\u20ac`.
  others.push([value.replaceAll(/[^\x00-\xff]+/g, asBytes), 'latin1']);
  if (/[^\x00-\xff]/.test(value)) return others;
  return [...others, [asBytes(value.replaceAll(/[^\x00-\x7f]/g, '\ufffd')), 'garbled']];
}

/** Of a key that is written in base64 or hexadecimal; not what is the value again, but for its end. */
function decodedForms(value: string): readonly Form[] {
  const bytes = spelledBytes(value).toString('latin1');
  if (bytes.length < shortestKey || new Set(bytes).size < fewestBytes) return [];
  const forms: Form[] = [[bytes, ''], ...encodingsOf(bytes), ...separatedBytes(bytes)];
  return forms
    .filter(([text]) => !value.startsWith(text.replace(/=+$/, '').slice(0, -1)))
    .map((form) => under('decoded', form));
}

/** Byte by byte, as debuggers print them: `73:6b`, `736b 2d24`. */
export function separatedBytes(whole: string): readonly Form[] {
  const digits = numbersOf(whole).map((byte) => hex(byte, 2));
  const pairs = digits.map((two, index) => (index % 2 === 1 && index + 1 < digits.length ? `${two} ` : two));
  const shifted = digits.map((two, index) =>
    index % 2 === 0 && index + 1 < digits.length ? `${two} ` : two,
  );
  const hexes: Form[] = [
    [digits.join(':'), 'hex-colon'],
    [digits.join(' '), 'hex-space'],
    [digits.join('-'), 'hex-dash'],
    [pairs.join(''), 'hex-pairs'],
    [shifted.join(''), 'hex-pairs-shifted'],
  ];
  return [
    ...hexes,
    ...hexes.map(([text, label]): Form => [text.toUpperCase(), label.replace('hex', 'hex-upper')]),
  ];
}

/** As SQL, CSV and shells quote it; a backslash before a sign is undone like other escapes. */
function quotedForms(value: string): readonly Form[] {
  const quoted: Form[] = [
    [value.replaceAll("'", "''"), 'quoted'],
    [value.replaceAll('"', '""'), 'quoted-csv'],
    [value.replaceAll("'", `'"'"'`), 'quoted-shell'],
    [value.replaceAll("'", "'\\''"), 'quoted-sh'],
  ];
  return quoted.map(([text, label]) => [asBytes(text), label]);
}

/** Host names and header lines change case; a plain word in another case is another word. */
function otherCases(value: string): readonly Form[] {
  if (value.length < shortestCased || /^[A-Za-z]*$/.test(value)) return [];
  return [
    [asBytes(value.toUpperCase()), 'upper'],
    [asBytes(value.toLowerCase()), 'lower'],
  ];
}

/** The lines of a wrapped base64, for code that sees one line at a time. */
function wrappedPieces(whole: string): readonly Form[] {
  const text = Buffer.from(whole, 'latin1').toString('base64');
  return [64, 76].flatMap((width) =>
    text.length <= width
      ? []
      : (text.match(new RegExp(`.{${shortestLine},${width}}`, 'g')) ?? []).map(
          (piece, index) => [piece, `base64-${width}-${index + 1}`] as const,
        ),
  );
}

/** A value of several lines is mostly read line by line; one with a line end is mostly trimmed. */
function linesOf(value: string, counts: (line: string) => boolean = () => true): readonly Form[] {
  return value.split(/[\r\n]+/).flatMap((line, index): readonly Form[] => {
    const text = line.trim();
    if (text === value || text.length < shortestLine || !counts(text)) return [];
    return usualForms(text, `line${index + 1}`);
  });
}

/** There may be many: of these, the forms that are not made by tools for looking at bytes. */
function partForms(value: string): readonly Form[] {
  return partsOf(value).flatMap(([part, label]) => [
    ...usualForms(part, label),
    ...[
      ...otherCharsets(part),
      ...quotedForms(part),
      ...otherCases(part),
      ...linesOf(part, isReporting),
      ...partForms(part),
    ].map((form) => under(label, form)),
  ]);
}

function usualForms(text: string, label: string): readonly Form[] {
  const bytes = asBytes(text);
  return [[bytes, label], ...encodingsOf(bytes).map((form) => under(label, form))];
}

function under(inner: string, [text, label]: Form): Form {
  return [text, joinLabels(inner, label)];
}

/** Inner form first: `json.base64` is base64 of what JSON makes of the value. */
export function joinLabels(inner: string, outer: string): string {
  return [inner, outer].filter((label) => label !== '').join('.');
}

/** What labels are made of; a text that is one in a token is not a secret there. */
const word =
  'plus|latin1|garbled|misread|nf[cd]|decoded|upper|lower|quoted(?:-[a-z]+)?|bytes(?:-[a-z]+)?|(?:first|last)\\d+|part\\d+-\\d+|line\\d+|field\\d+|password|base64(?:url)?(?:-bare|-padded|[+-]\\d+(?:-\\d+)?)?|hex(?:-[a-z]+)*|percent(?:-[a-z]+)*|form|json(?:-[a-z]+)?|unicode(?:-upper)?|html(?:-[a-z]+)?|wrapped|coloured|signs|number(?:-minus)?';
export const labelPattern = `(?:${word})(?:~[0-9a-f]{8})?(?:\\.(?:${word})(?:~[0-9a-f]{8})?)*`;

export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
