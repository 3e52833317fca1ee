/** One statement on its way through PostgreSQL: what was asked, and what has been answered so far. */
import { notRead } from '../../kernel/not-kept.ts';
import { type StoreExchange, storeLimits } from '../stores/store-conversation.ts';
import { readValue, type WireFormat } from './column-values.ts';
import { FieldReader } from './frame-reader.ts';

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

/** A statement with its parameters. */
export interface Bound {
  readonly prepared: Prepared;
  readonly params: readonly unknown[];
  /** Of its columns: one for all, or one for each; text where there is none. */
  readonly formats: readonly WireFormat[];
}

export class StatementExchange implements StoreExchange {
  readonly path: string;
  readonly statement: string;
  readonly params?: readonly unknown[];
  readonly isWaiting = false;
  sentBytes: number;
  receivedBytes = 0;
  error: Readonly<Record<string, string>> | undefined;
  readonly #bound: Bound | undefined;
  #columns: readonly Column[] | undefined;
  readonly #rows: Buffer[] = [];
  #rowBytes = 0;
  #count = 0;
  readonly #commands: string[] = [];
  readonly #copied = { bytes: 0, beginning: '' };
  #isCopy = false;
  #isSuspended = false;

  constructor(path: string, statement: string, sentBytes: number, bound?: Bound) {
    this.path = path;
    this.statement = withoutPasswords(statement.trim());
    this.sentBytes = sentBytes;
    this.#bound = bound;
    if (bound !== undefined && bound.params.length > 0) this.params = bound.params;
  }

  get method(): string {
    const first = firstWord(this.statement);
    return first === 'WITH' ? firstWord(this.#commands[0] ?? first) : first;
  }

  get result(): unknown {
    if (this.error !== undefined && this.#commands.length === 0) return undefined;
    const columns = this.#columns ?? this.#bound?.prepared.columns;
    return {
      command: this.#commands.join('; '),
      ...(columns === undefined ? {} : { rows: this.#readRows(columns), count: this.#count }),
      ...(this.#isSuspended ? { suspended: true } : {}),
      ...(this.#isCopy ? { copied: this.#copied } : {}),
    };
  }

  describe(columns: readonly Column[]): void {
    // A query of several statements may give rows of several forms; those of the last one count.
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
    this.#isCopy = true;
    this.#copied.bytes += bytes;
    const room = storeLimits.statementBytes - this.#copied.beginning.length;
    if (room > 0) this.#copied.beginning += body.toString('utf8', 0, room);
  }

  complete(command: string): void {
    this.#commands.push(command);
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  #readRows(columns: readonly Column[]): readonly unknown[] {
    const formats = this.#bound?.formats ?? [];
    const rows = this.#rows.map((row) => readRow(row, columns, formats));
    const kept = rows.length;
    return kept === this.#count
      ? rows
      : [...rows, notRead(`of ${this.#count} rows, only the first ${kept} are kept`)];
  }
}

function readRow(
  body: Buffer,
  columns: readonly Column[],
  formats: readonly WireFormat[],
): Readonly<Record<string, unknown>> {
  const fields = new FieldReader(body);
  const row: Record<string, unknown> = {};
  const count = fields.int16();
  for (let index = 0; index < count && !fields.isOver; index += 1) {
    const column = columns[index] ?? { name: `column ${index + 1}`, type: 0, format: 'text' };
    const bytes = fields.int32();
    const format = formats[formats.length === 1 ? 0 : index] ?? column.format;
    row[freeName(row, column.name)] =
      bytes < 0 ? null : keptValue(fields.bytes(bytes), bytes, column.type, format);
  }
  return row;
}

export function keptValue(part: Buffer, bytes: number, type: number, format: WireFormat): unknown {
  if (part.length < bytes || bytes > storeLimits.valueBytes)
    return notRead(`a value of ${bytes} bytes is not kept; at most ${storeLimits.valueBytes} are`);
  return readValue(part, type, format);
}

/** Two columns may have the same name. */
function freeName(row: Readonly<Record<string, unknown>>, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name} ${count}`;
    if (!Object.hasOwn(row, free)) return free;
  }
}

/** Without comments before it. */
function firstWord(statement: string): string {
  const plain = statement.replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()+/, '');
  return (/^[A-Za-z]+/.exec(plain)?.[0] ?? '?').toUpperCase();
}

/** Of a new password, only that there is one. */
function withoutPasswords(statement: string): string {
  return /password/i.test(statement)
    ? statement.replace(/(\bpassword\s+)(?:e?'(?:[^'\\]|''|\\.)*'|\$(\w*)\$[\s\S]*?\$\2\$)/gi, "$1'…'")
    : statement;
}
