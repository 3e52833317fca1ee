/** One statement on its way through PostgreSQL: what was asked, and what has been answered so far. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { moreNotKept, notRead } from '../../kernel/not-kept.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { type StoreExchange, storeLimits } from '../stores/store-conversation.ts';
import { readText, readValue, type WireFormat } from './column-values.ts';
import { FieldReader, type SizedPart } from './frame-reader.ts';
import { freeName } from './message-fields.ts';
import { verbOf } from './split-statements.ts';
import { withoutPasswords } from './without-passwords.ts';

export interface Column {
  readonly name: string;
  readonly type: number;
  readonly format: WireFormat;
}

export interface Prepared {
  readonly text: string;
  types: readonly number[];
  columns?: readonly Column[];
}

/** A parameter as it was sent: its type may be said only later. */
export interface SentValue {
  readonly value: SizedPart | string | null;
  readonly format: WireFormat;
}

/** A statement with its parameters. */
export interface Bound {
  readonly prepared: Prepared;
  readonly params: readonly SentValue[];
  /** How many there are, also beyond what is kept. */
  readonly paramCount: number;
  /** Of its columns: one for all, or one for each; text where there is none. Undefined where they were cut off. */
  readonly formats: readonly WireFormat[] | undefined;
}

export class StatementExchange implements StoreExchange {
  readonly path: string;
  readonly statement: string;
  readonly isWaiting = false;
  readonly sentBytes: number;
  receivedBytes = 0;
  error: Readonly<Record<string, string>> | undefined;
  /** A portal of which more can be read. */
  isPaused = false;
  isEnded = false;
  /** All that is copied in was sent. */
  isCopied = false;
  readonly #bound: Bound | undefined;
  #columns: readonly Column[] | undefined;
  readonly #rows: Buffer[] = [];
  #rowBytes = 0;
  #count = 0;
  #command: string | undefined;
  #batches = 0;
  #copied: { bytes: number; keptBytes: number; readonly kept: Buffer[] } | undefined;

  constructor(path: string, statement: string, sentBytes: number, bound?: Bound) {
    this.path = path;
    this.statement = withoutPasswords(statement.trim());
    this.sentBytes = sentBytes;
    this.#bound = bound;
  }

  /** Where the text does not say it, what the server says was done. */
  get method(): string {
    const verb = verbOf(this.statement);
    if (verb !== undefined && verb !== 'WITH' && verb !== 'EXECUTE') return verb;
    const unknown = this.statement.endsWith(cutMark) ? cutMark : '?';
    return verbOf(this.#command ?? '') ?? verb ?? unknown;
  }

  get params(): readonly unknown[] | undefined {
    if (this.#bound === undefined || this.#bound.paramCount === 0) return undefined;
    const { params, paramCount, prepared } = this.#bound;
    const read = params.map(({ value, format }, index) =>
      keptValue(value, prepared.types[index] ?? 0, format),
    );
    return read.length === paramCount
      ? read
      : [
          ...read,
          moreNotKept(
            paramCount - read.length,
            `of ${paramCount} parameters, only the first ${read.length} are kept`,
          ),
        ];
  }

  get result(): unknown {
    if (this.error !== undefined && this.#command === undefined) return undefined;
    const columns = this.#columns ?? this.#bound?.prepared.columns;
    return {
      command: this.#wholeCommand(),
      ...(columns === undefined ? {} : { rows: this.#readRows(columns), count: this.#count }),
      ...(this.isPaused ? { suspended: true } : {}),
      ...(this.#copied === undefined ? {} : { copied: this.#readCopied(this.#copied) }),
    };
  }

  describe(columns: readonly Column[]): void {
    // A rule may give rows of several forms; those of the last one count.
    if (this.#columns !== undefined) this.#rows.length = 0;
    this.#columns = columns;
    this.#count = 0;
  }

  addRow(body: Buffer): void {
    this.#count += 1;
    if (this.#rows.length >= storeLimits.rows || this.#rowBytes > storeLimits.rowBytes) return;
    this.#rowBytes += body.length;
    this.#rows.push(Buffer.from(body));
  }

  addCopied(body: Buffer, bytes: number): void {
    this.#copied ??= { bytes: 0, keptBytes: 0, kept: [] };
    this.#copied.bytes += bytes;
    const kept = body.subarray(0, storeLimits.statementBytes - this.#copied.keptBytes);
    this.#copied.keptBytes += kept.length;
    if (kept.length > 0) this.#copied.kept.push(Buffer.from(kept));
  }

  complete(command: string): void {
    this.#command = command;
    this.isPaused = false;
  }

  pause(): void {
    this.isPaused = true;
    this.#batches += 1;
  }

  /** The server counts the rows of the last batch only. */
  #wholeCommand(): string {
    const command = this.#command ?? '';
    return this.#batches > 0 ? command.replace(/^SELECT \d+$/, `SELECT ${this.#count}`) : command;
  }

  #readRows(columns: readonly Column[]): readonly unknown[] {
    const formats = this.#formats();
    const rows = this.#rows.map((row) => readRow(row, columns, formats));
    const kept = rows.length;
    return kept === this.#count
      ? rows
      : [...rows, moreNotKept(this.#count - kept, `of ${this.#count} rows, only the first ${kept} are kept`)];
  }

  /** Those of a simple query are its columns' own. */
  #formats(): readonly WireFormat[] | undefined {
    if (this.#bound === undefined) return [];
    return this.#bound.formats?.length === 0 ? ['text'] : this.#bound.formats;
  }

  #readCopied({ bytes, keptBytes, kept }: { bytes: number; keptBytes: number; kept: readonly Buffer[] }) {
    const isCut = keptBytes < bytes;
    return { bytes, beginning: `${utf8Text(Buffer.concat(kept), isCut)}${isCut ? cutMark : ''}` };
  }
}

function readRow(
  body: Buffer,
  columns: readonly Column[],
  formats: readonly WireFormat[] | undefined,
): Readonly<Record<string, unknown>> {
  const fields = new FieldReader(body);
  const row: Record<string, unknown> = {};
  const count = fields.uint16();
  for (let index = 0; index < count; index += 1) {
    const column = columns[index] ?? undescribed(row, index);
    const format = formats?.[formats.length === 1 ? 0 : index] ?? column.format;
    const value = readField(fields, format);
    row[column.name] = formats === undefined ? unreadable : keptValue(value, column.type, format);
  }
  return row;
}

function readField(fields: FieldReader, format: WireFormat): SentValue['value'] | undefined {
  const bytes = fields.size();
  if (bytes === undefined) return undefined;
  if (bytes < 0) return null;
  const isKept = bytes <= storeLimits.valueBytes && bytes <= fields.leftBytes;
  return isKept && format === 'text' ? fields.plainText(bytes) : { bytes, part: fields.bytes(bytes) };
}

function undescribed(row: Readonly<Record<string, unknown>>, index: number): Column {
  const name = freeName(new Set(Object.keys(row)), `column ${index + 1}`);
  return { name, type: 0, format: 'text' };
}

const unreadable = notRead('the message that says how to read the rows is too large to be kept');

function keptValue(value: SentValue['value'] | undefined, type: number, format: WireFormat): unknown {
  if (value === null) return null;
  if (typeof value === 'string') return readText(value, type);
  if (value === undefined) return notRead(`only the first ${storeLimits.statementBytes} bytes are kept`);
  if (value.part.length < value.bytes || value.bytes > storeLimits.valueBytes)
    return notRead(`a value of ${value.bytes} bytes is not kept; at most ${storeLimits.valueBytes} are`);
  return readValue(value.part, type, format);
}
