/** Values of PostgreSQL as they pass on the wire, as text or in binary form, turned into plain data that loses nothing. Pure. */
import { exactNumber } from '../../kernel/exact-json.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { notRead } from '../../kernel/not-kept.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { readJson } from '../json-rpc/read-json.ts';
import { readAddress, readDevice } from './address-values.ts';
import { readInterval, readTimeOfDay, readZonedTime } from './interval-values.ts';

export type WireFormat = 'text' | 'binary';

/** The same as rows of a check have it: numbers exact, times in ISO form, bytes in hexadecimal. */
export function readValue(bytes: Buffer, type: number, format: WireFormat): unknown {
  if (format === 'text') return readText(bytes.toString(), type);
  if (elementsOf.has(type)) return readArray(bytes);
  const kind = kinds.get(type);
  if (kind === undefined) return unknownValue(bytes, type);
  const fits = kind.binary !== undefined && (kind.bytes === undefined || kind.bytes === bytes.length);
  return fits ? kind.binary?.(bytes) : hex(bytes);
}

/** The same of its text form. */
export function readText(text: string, type: number): unknown {
  const elements = elementsOf.get(type);
  if (elements !== undefined) return readArrayText(text, elements);
  const read = kinds.get(type)?.text;
  return read === undefined ? text : read(text);
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
  // Their text form is no number of JSON.
  ...[28, 29].map((type): [number, ValueKind] => [
    type,
    { binary: (bytes) => String(bytes.readUInt32BE()), bytes: 4 },
  ]),
  [5069, { binary: (bytes) => String(bytes.readBigUInt64BE()), bytes: 8 }],
  ...[18, 19, 25, 142, 705, 1042, 1043, 1790].map((type): [number, ValueKind] => [
    type,
    { binary: utf8Text },
  ]),
  [114, { text: json, binary: (bytes) => json(bytes.toString()) }],
  [600, { binary: point, bytes: 16 }],
  ...[650, 869].map((type): [number, ValueKind] => [
    type,
    { binary: (bytes) => readAddress(bytes) ?? hex(bytes) },
  ]),
  [700, { text: decimal, binary: (bytes) => float(nearestFloat(bytes.readFloatBE())), bytes: 4 }],
  [701, { text: decimal, binary: (bytes) => float(bytes.readDoubleBE()), bytes: 8 }],
  [774, { binary: readDevice, bytes: 8 }],
  [829, { binary: readDevice, bytes: 6 }],
  [1082, { binary: (bytes) => day(bytes.readInt32BE()), bytes: 4 }],
  [1114, { text: (text) => isoTime(text), binary: (bytes) => moment(bytes.readBigInt64BE(), ''), bytes: 8 }],
  [1184, { text: (text) => isoTime(text), binary: (bytes) => moment(bytes.readBigInt64BE(), 'Z'), bytes: 8 }],
  [1083, { binary: readTimeOfDay, bytes: 8 }],
  [1186, { binary: readInterval, bytes: 16 }],
  [1266, { binary: readZonedTime, bytes: 12 }],
  ...[1560, 1562].map((type): [number, ValueKind] => [type, { binary: bits }]),
  [1700, { text: decimal, binary: numeric }],
  [2950, { binary: uuid, bytes: 16 }],
  [3220, { binary: logPlace, bytes: 8 }],
  // The first byte of these is a version.
  [4072, { binary: (bytes) => bytes.toString('utf8', 1) }],
  [3802, { text: json, binary: (bytes) => json(bytes.toString('utf8', 1)) }],
]);

const elementsOf: ReadonlyMap<number, number> = new Map([
  [143, 142],
  [199, 114],
  [271, 5069],
  [651, 650],
  [775, 774],
  [1000, 16],
  [1001, 17],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1011, 28],
  [1012, 29],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1017, 600],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1040, 829],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1187, 1186],
  [1231, 1700],
  [1270, 1266],
  [1561, 1560],
  [1563, 1562],
  [2201, 1790],
  [2951, 2950],
  [3221, 3220],
  [3807, 3802],
  [4073, 4072],
]);

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/** A number may look like a text, and the type of an enumeration like that of a domain over numbers. */
function unknownValue(bytes: Buffer, type: number): unknown {
  return notRead(
    `a value of ${bytes.length} bytes, in binary form, is of a type that ${
      type === 0 ? 'was not said' : `is not read (${type})`
    }`,
  );
}

/** As long as PostgreSQL writes both numbers without an exponent. */
function point(bytes: Buffer): unknown {
  const parts = [bytes.readDoubleBE(0), bytes.readDoubleBE(8)];
  const isPlain = (value: number): boolean =>
    value === 0 || !Number.isFinite(value) || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15);
  const shown = parts.map((value) => (Object.is(value, -0) ? '-0' : String(value)));
  return parts.every(isPlain) ? `(${shown.join(',')})` : unknownValue(bytes, 600);
}

/** How many there are, then eight in each byte. */
function bits(bytes: Buffer): unknown {
  const count = bytes.length < 4 ? -1 : bytes.readInt32BE(0);
  if (count < 0 || Math.ceil(count / 8) !== bytes.length - 4) return hex(bytes);
  const digits = Array.from(bytes.subarray(4), (byte) => byte.toString(2).padStart(8, '0'));
  return digits.join('').slice(0, count);
}

/** A place in the log of the server, as two numbers of 32 bits. */
function logPlace(bytes: Buffer): string {
  return [0, 4].map((at) => bytes.readUInt32BE(at).toString(16).toUpperCase()).join('/');
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

function day(count: number): unknown {
  if (infiniteDays.includes(count)) return count > 0 ? 'infinity' : '-infinity';
  return isoDate(epochMs + count * dayMs)?.slice(0, -'T00:00:00.000Z'.length) ?? tooFar;
}

function moment(micros: bigint, zone: string): unknown {
  if (infinities.includes(micros)) return micros > 0n ? 'infinity' : '-infinity';
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const time = isoDate(epochMs + Number((micros - rest) / 1000n))?.slice(0, -1);
  if (time === undefined) return tooFar;
  return `${time}${rest === 0n ? '' : String(rest).padStart(3, '0').replace(/0+$/, '')}${zone}`;
}

const tooFar = notRead('a date in binary form is read from the year 1 to 275760');

/** Years after 9999 have a sign in ISO form, and none in PostgreSQL's. Undefined where JavaScript has none, or before Christ. */
function isoDate(ms: number): string | undefined {
  const date = new Date(ms);
  return date.getUTCFullYear() >= 1 ? date.toISOString().replace(/^\+0*/, '') : undefined;
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
  if (dimensions < 0 || dimensions > mostDimensions || bytes.length < 12 + dimensions * 8) return hex(bytes);
  const lengths = Array.from({ length: dimensions }, (_, index) => bytes.readInt32BE(12 + index * 8));
  if (lengths.includes(0)) return [];
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
  const element = (depth: number): unknown => {
    if (text[at] === '{') return list(depth);
    if (text[at] === '"') {
      let value = '';
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
        if (text[at] === '\\') at += 1;
        value += text[at];
      }
      at += 1;
      return readText(value, type);
    }
    const from = at;
    while (at < text.length && !',{}"'.includes(text[at] as string)) at += 1;
    const plain = text.slice(from, at);
    return plain === 'NULL' ? null : readText(plain, type);
  };
  const list = (depth: number): unknown[] => {
    const items: unknown[] = [];
    // It is none: nothing more is read.
    if (depth === mostDimensions) at = text.length;
    at += 1;
    if (text[at] !== '}')
      for (let before = -1; at < text.length && at > before; at += text[at] === ',' ? 1 : 0) {
        before = at;
        items.push(element(depth + 1));
        if (text[at] === '}') break;
      }
    at += 1;
    return items;
  };
  if (!text.startsWith('{')) return text;
  const value = list(0);
  return at === text.length ? value : text;
}

/** As PostgreSQL limits them. */
const mostDimensions = 6;
