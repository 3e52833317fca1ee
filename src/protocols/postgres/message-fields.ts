/** Reads the fields of the messages that say more than one thing. Pure. */
import { storeLimits } from '../stores/store-conversation.ts';
import type { WireFormat } from './column-values.ts';
import { FieldReader } from './frame-reader.ts';
import type { Bound, Column, Prepared, SentValue } from './statement-exchange.ts';

/** The database, which is the user's where none is named. */
export function readDatabase(fields: FieldReader): string {
  const values = new Map<string, string>();
  while (!fields.isOver) {
    const name = fields.text();
    if (name === '') break;
    values.set(name, fields.text());
  }
  return values.get('database') ?? values.get('user') ?? '';
}

/** What follows the names of portal and statement. */
export function readBound(fields: FieldReader, prepared: Prepared, isCut: boolean): Bound {
  const formats = list(fields, () => formatOf(fields.int16()));
  const paramCount = fields.uint16();
  const params: SentValue[] = [];
  while (params.length < paramCount) {
    const bytes = fields.size();
    if (bytes === undefined) break;
    const format = formats[formats.length === 1 ? 0 : params.length] ?? 'text';
    params.push({ value: readSent(fields, bytes, format), format });
  }
  const resultFormats = isCut ? undefined : list(fields, () => formatOf(fields.int16()));
  return { prepared, params, paramCount, formats: resultFormats };
}

/** The bytes of a message are valid only while it is read. */
function readSent(fields: FieldReader, bytes: number, format: WireFormat): SentValue['value'] {
  if (bytes < 0) return null;
  const isKept = bytes <= storeLimits.valueBytes && bytes <= fields.leftBytes;
  if (isKept && format === 'text') return fields.plainText(bytes);
  const part = fields.bytes(bytes);
  return { bytes, part: isKept ? Buffer.from(part) : Buffer.alloc(0) };
}

export function readTypes(fields: FieldReader): readonly number[] {
  return list(fields, () => fields.uint32());
}

/** Remembers the columns of results, which are described again with each of them. */
export function createColumnReader(): (fields: FieldReader) => readonly Column[] {
  const known = new Map<string, readonly Column[]>();
  return (fields) => {
    if (fields.leftBytes > mostRemembered.bytes) return readColumns(fields);
    const body = fields.rest();
    const key = body.toString('latin1');
    const found = known.get(key);
    if (found !== undefined) return found;
    const columns = readColumns(new FieldReader(body));
    if (known.size >= mostRemembered.descriptions) known.clear();
    known.set(key, columns);
    return columns;
  };
}

const mostRemembered = { bytes: 2_048, descriptions: 50 } as const;

function readColumns(fields: FieldReader): readonly Column[] {
  const taken = new Set<string>();
  return list(fields, () => {
    const name = freeName(taken, fields.text());
    taken.add(name);
    fields.skip(6);
    const type = fields.uint32();
    fields.skip(6);
    return { name, type, format: formatOf(fields.int16()) };
  });
}

/** Two columns may have the same name. */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(free)) return free;
  }
}

function list<Item>(fields: FieldReader, read: () => Item): readonly Item[] {
  const count = fields.uint16();
  const items: Item[] = [];
  for (let index = 0; index < count && !fields.isOver; index += 1) items.push(read());
  return items;
}

function formatOf(code: number): WireFormat {
  return code === 1 ? 'binary' : 'text';
}

const errorKeys: ReadonlyMap<string, string> = new Map([
  ['V', 'severity'],
  ['C', 'code'],
  ['M', 'message'],
  ['D', 'detail'],
  ['H', 'hint'],
  ['s', 'schema'],
  ['t', 'table'],
  ['c', 'column'],
  ['n', 'constraint'],
]);

export function readError(fields: FieldReader): Readonly<Record<string, string>> {
  const error: Record<string, string> = {};
  while (!fields.isOver) {
    const key = errorKeys.get(fields.byte());
    const value = fields.text();
    if (key !== undefined) error[key] = value;
  }
  return error;
}
