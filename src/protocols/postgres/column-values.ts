/** Values of PostgreSQL as they pass on the wire, as text or in binary form, turned into plain data that loses nothing. Pure. */
import { isUtf8 } from 'node:buffer';
import { exactNumber } from '../../kernel/exact-json.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { readJson } from '../json-rpc/read-json.ts';

export type WireFormat = 'text' | 'binary';

/** The same as rows of a check have it: numbers exact, times in ISO form, bytes in hexadecimal. */
export function readValue(bytes: Buffer, type: number, format: WireFormat): unknown {
  const elements = elementsOf.get(type);
  if (elements !== undefined)
    return format === 'text' ? readArrayText(bytes.toString(), elements) : readArray(bytes);
  const kind = kinds.get(type);
  if (format === 'text') return kind?.text?.(bytes.toString()) ?? bytes.toString();
  const fits = kind?.binary !== undefined && (kind.bytes === undefined || kind.bytes === bytes.length);
  return fits ? kind.binary?.(bytes) : plainOrHex(bytes);
}

interface ValueKind {
  readonly text?: (text: string) => unknown;
  readonly binary?: (bytes: Buffer) => unknown;
  /** Of its binary form. */
  readonly bytes?: number;
}

const decimal = (text: string): unknown =>
  /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(text) ? exactNumber(text) : text;
const float = (value: number): unknown => (Number.isFinite(value) ? value : String(value));
const json = (text: string): unknown => {
  const read = readJson(text);
  return 'json' in read ? read.json : { $broken: text };
};

const kinds: ReadonlyMap<number, ValueKind> = new Map<number, ValueKind>([
  [16, { text: (text) => text === 't', binary: (bytes) => bytes[0] === 1, bytes: 1 }],
  [17, { binary: hex }],
  [20, { text: decimal, binary: (bytes) => exactNumber(String(bytes.readBigInt64BE())), bytes: 8 }],
  [21, { text: decimal, binary: (bytes) => bytes.readInt16BE(), bytes: 2 }],
  [23, { text: decimal, binary: (bytes) => bytes.readInt32BE(), bytes: 4 }],
  [26, { text: decimal, binary: (bytes) => bytes.readUInt32BE(), bytes: 4 }],
  [114, { text: json, binary: (bytes) => json(bytes.toString()) }],
  [700, { text: decimal, binary: (bytes) => float(nearestFloat(bytes.readFloatBE())), bytes: 4 }],
  [701, { text: decimal, binary: (bytes) => float(bytes.readDoubleBE()), bytes: 8 }],
  [1082, { binary: (bytes) => day(bytes.readInt32BE()), bytes: 4 }],
  [1114, { text: (text) => isoTime(text), binary: (bytes) => moment(bytes.readBigInt64BE(), ''), bytes: 8 }],
  [1184, { text: (text) => isoTime(text), binary: (bytes) => moment(bytes.readBigInt64BE(), 'Z'), bytes: 8 }],
  [1700, { text: decimal, binary: numeric }],
  [2950, { binary: uuid, bytes: 16 }],
  // Its first byte is a version.
  [3802, { text: json, binary: (bytes) => json(bytes.toString('utf8', 1)) }],
]);

const elementsOf: ReadonlyMap<number, number> = new Map([
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1115, 1114],
  [1182, 1082],
  [1185, 1184],
  [1231, 1700],
  [2951, 2950],
  [3807, 3802],
]);

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/** Texts and labels of enumerations are the same in both forms. */
function plainOrHex(bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString() : '\0';
  return /[\0-\x08\x0e-\x1f]/.test(text) ? hex(bytes) : text;
}

/** The shortest decimal that is the same number of 32 bits. */
function nearestFloat(value: number): number {
  for (let digits = 6; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** PostgreSQL counts from 2000. */
const epochMs = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;
const infinities: readonly bigint[] = [0x7fff_ffff_ffff_ffffn, -0x8000_0000_0000_0000n];
const infiniteDays: readonly number[] = [0x7fff_ffff, -0x8000_0000];

function day(count: number): string {
  if (infiniteDays.includes(count)) return count > 0 ? 'infinity' : '-infinity';
  return isoDate(new Date(epochMs + count * dayMs)).slice(0, -'T00:00:00.000Z'.length);
}

function moment(micros: bigint, zone: string): string {
  if (infinities.includes(micros)) return micros > 0n ? 'infinity' : '-infinity';
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const time = isoDate(new Date(epochMs + Number((micros - rest) / 1000n))).slice(0, -1);
  return `${time}${rest === 0n ? '' : String(rest).padStart(3, '0').replace(/0+$/, '')}${zone}`;
}

/** Years after 9999 have a sign in ISO form, and none in PostgreSQL's. */
function isoDate(date: Date): string {
  return date.toISOString().replace(/^\+0*/, '');
}

function uuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Groups of four decimal digits, the place of the first one, a sign, and how many digits follow the point. */
function numeric(bytes: Buffer): unknown {
  if (bytes.length < 8) return hex(bytes);
  const [groups, weight, sign, scale] = [0, 2, 4, 6].map((at) => bytes.readInt16BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const special = new Map([
    [-0x4000, 'NaN'],
    [-0x3000, 'Infinity'],
    [-0x1000, '-Infinity'],
  ]).get(sign);
  if (special !== undefined) return special;
  if (bytes.length < 8 + groups * 2) return hex(bytes);
  const group = (index: number): string => {
    const digits = index >= 0 && index < groups ? bytes.readUInt16BE(8 + index * 2) : 0;
    return String(digits).padStart(4, '0');
  };
  let whole = '';
  for (let index = 0; index <= weight; index += 1) whole += group(index);
  let fraction = '';
  for (let index = weight + 1; fraction.length < scale; index += 1) fraction += group(index);
  const point = scale > 0 ? `.${fraction.slice(0, scale)}` : '';
  return exactNumber(`${sign === 0x4000 ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${point}`);
}

/** Dimensions, each with its length, then all elements in order. */
function readArray(bytes: Buffer): unknown {
  if (bytes.length < 12) return hex(bytes);
  const dimensions = bytes.readInt32BE(0);
  const type = bytes.readUInt32BE(8);
  if (dimensions === 0) return [];
  if (dimensions < 0 || dimensions > 6 || bytes.length < 12 + dimensions * 8) return hex(bytes);
  const lengths = Array.from({ length: dimensions }, (_, index) => bytes.readInt32BE(12 + index * 8));
  let at = 12 + dimensions * 8;
  const element = (): unknown => {
    const size = at + 4 <= bytes.length ? bytes.readInt32BE(at) : -1;
    at += 4;
    if (size < 0) return null;
    const value = readValue(bytes.subarray(at, at + size), type, 'binary');
    at += size;
    return value;
  };
  const level = (depth: number): unknown =>
    depth === dimensions
      ? element()
      : Array.from({ length: Math.min(lengths[depth] ?? 0, bytes.length) }, () => level(depth + 1));
  const total = lengths.reduce((product, length) => product * length, 1);
  // Each element has four bytes at least.
  return lengths.every((length) => length >= 0) && total * 4 <= bytes.length ? level(0) : hex(bytes);
}

/** `{1,NULL,"a, b",{2}}`; as it is where it is not of that form. */
function readArrayText(text: string, type: number): unknown {
  let at = 0;
  const element = (): unknown => {
    if (text[at] === '{') return list();
    if (text[at] === '"') {
      let value = '';
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
        if (text[at] === '\\') at += 1;
        value += text[at];
      }
      at += 1;
      return readValue(Buffer.from(value), type, 'text');
    }
    const [plain = ''] = /^[^,{}"]*/.exec(text.slice(at, at + longestPlain)) ?? [];
    at += plain.length;
    return plain === 'NULL' ? null : readValue(Buffer.from(plain), type, 'text');
  };
  const list = (): unknown[] => {
    const items: unknown[] = [];
    at += 1;
    if (text[at] !== '}')
      for (let before = -1; at < text.length && at > before; at += text[at] === ',' ? 1 : 0) {
        before = at;
        items.push(element());
        if (text[at] === '}') break;
      }
    at += 1;
    return items;
  };
  if (!text.startsWith('{')) return text;
  const value = list();
  return at === text.length ? value : text;
}

const longestPlain = 4_096;
