/** Reads both directions of a PostgreSQL connection, and finds each statement with its answer. Pure. */
import { type StoreConversation, type StoreListener, storeLimits } from '../stores/store-conversation.ts';
import type { WireFormat } from './column-values.ts';
import { FieldReader, FrameReader, type PostgresFrame } from './frame-reader.ts';
import {
  type Bound,
  type Column,
  keptValue,
  type Prepared,
  StatementExchange,
} from './statement-exchange.ts';

/** What the client waits for, in the order in which it asked. */
type Awaited =
  | { readonly for: 'startup' | 'bind' | 'close' | 'sync' }
  | { readonly for: 'parse'; readonly prepared: Prepared }
  | { readonly for: 'describe'; readonly prepared: Prepared | undefined }
  | { readonly for: 'query' | 'execute'; readonly exchange: StatementExchange };

const codes = { tls: 80_877_103, gss: 80_877_104, cancel: 80_877_102 } as const;

export class PostgresConversation implements StoreConversation {
  readonly protocol = 'postgres';
  closedBecause: string | undefined;
  readonly #listener: StoreListener;
  readonly #sent = new FrameReader((frame) => this.#asked(frame), keptBytes, true);
  readonly #received = new FrameReader((frame) => this.#said(frame), keptBytes);
  readonly #statements = new Map<string, Prepared>();
  readonly #portals = new Map<string, Bound>();
  readonly #awaited: Awaited[] = [];
  #database = '';
  /** The answer is one byte. */
  #isAskingTls = false;
  #isLost = false;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  sent(bytes: Buffer): boolean {
    if (!this.#isLost && !this.#sent.push(bytes)) this.#lose();
    return !this.#isLost;
  }

  received(bytes: Buffer): boolean {
    const rest = this.#isAskingTls && bytes.length > 0 ? this.#takeTlsAnswer(bytes) : bytes;
    if (!this.#isLost && !this.#received.push(rest)) this.#lose();
    return !this.#isLost;
  }

  #lose(because?: string): void {
    this.#isLost = true;
    this.closedBecause ??= because;
    this.#sent.stop();
    this.#received.stop();
  }

  /** `N` refuses, and the connection goes on as if it had not been asked for; `E` is an error of an old server. */
  #takeTlsAnswer(bytes: Buffer): Buffer {
    this.#isAskingTls = false;
    const [answer] = bytes.toString('latin1', 0, 1);
    if (answer === 'E') return bytes;
    if (answer !== 'N') this.#lose('the connection is encrypted');
    return bytes.subarray(1);
  }

  #asked({ type, body, bytes }: PostgresFrame): void {
    const fields = new FieldReader(body);
    const whole = bytes + 5;
    if (type === '') this.#begin(fields);
    else if (type === 'Q') this.#query(fields.text(), whole);
    else if (type === 'P') this.#parse(fields);
    else if (type === 'B') this.#bind(fields);
    else if (type === 'D') this.#describe(fields);
    else if (type === 'E') this.#execute(fields, whole);
    else if (type === 'C') this.#closeOne(fields);
    else if (type === 'S') this.#await({ for: 'sync' });
    else if (type === 'F') this.#query(`function call ${fields.uint32()}`, whole);
    else if (type === 'd') this.#copying()?.addCopied(body, bytes);
    else if (!'HpXcf'.includes(type)) this.#lose();
  }

  #begin(fields: FieldReader): void {
    const code = fields.uint32();
    if (code === codes.tls || code === codes.gss) {
      this.#isAskingTls = true;
      this.#sent.isUntyped = true;
    } else if (code === codes.cancel) {
      const exchange = new StatementExchange('', 'CANCEL', 16);
      exchange.complete('CANCEL');
      this.#listener.begun(exchange);
      this.#listener.ended(exchange);
      this.#lose('it only asks for another connection to be cancelled');
    } else if (code >>> 16 !== 3) this.#lose();
    else {
      this.#database = startupValue(fields);
      this.#await({ for: 'startup' });
    }
  }

  #query(text: string, bytes: number, bound?: Bound): void {
    const exchange = new StatementExchange(this.#database, text, bytes, bound);
    this.#await({ for: bound === undefined ? 'query' : 'execute', exchange });
    this.#listener.begun(exchange);
  }

  #parse(fields: FieldReader): void {
    const name = fields.text();
    const text = fields.text();
    const prepared = { text, types: list(fields, () => fields.uint32()) };
    if (this.#statements.size < storeLimits.prepared || name === '') this.#statements.set(name, prepared);
    this.#await({ for: 'parse', prepared });
  }

  #bind(fields: FieldReader): void {
    const portal = fields.text();
    const prepared = this.#statements.get(fields.text()) ?? { text: '', types: [] };
    const formats = list(fields, () => formatOf(fields.int16()));
    const params = list(fields, (index) => {
      const bytes = fields.int32();
      if (bytes < 0) return null;
      const format = formats[formats.length === 1 ? 0 : index] ?? 'text';
      return keptValue(fields.bytes(bytes), bytes, prepared.types[index] ?? 0, format);
    });
    const results = list(fields, () => formatOf(fields.int16()));
    if (this.#portals.size < storeLimits.prepared || portal === '')
      this.#portals.set(portal, { prepared, params, formats: results });
    this.#await({ for: 'bind' });
  }

  #describe(fields: FieldReader): void {
    const kind = fields.byte();
    const name = fields.text();
    const prepared = kind === 'S' ? this.#statements.get(name) : this.#portals.get(name)?.prepared;
    this.#await({ for: 'describe', prepared });
  }

  #execute(fields: FieldReader, bytes: number): void {
    const bound = this.#portals.get(fields.text()) ?? {
      prepared: { text: '', types: [] },
      params: [],
      formats: [],
    };
    this.#query(bound.prepared.text, bytes, bound);
  }

  #closeOne(fields: FieldReader): void {
    const kind = fields.byte();
    (kind === 'S' ? this.#statements : this.#portals).delete(fields.text());
    this.#await({ for: 'close' });
  }

  #await(awaited: Awaited): void {
    this.#awaited.push(awaited);
    if (this.#awaited.length > storeLimits.pipelined) this.#lose();
  }

  /** Only one copies at a time. */
  #copying(): StatementExchange | undefined {
    const head = this.#awaited.find((one) => 'exchange' in one);
    return head && 'exchange' in head ? head.exchange : undefined;
  }

  #said({ type, body, bytes }: PostgresFrame): void {
    const [head] = this.#awaited;
    const exchange = head && 'exchange' in head ? head.exchange : undefined;
    if (exchange !== undefined) exchange.receivedBytes += bytes + 5;
    if (type === 'D') exchange?.addRow(body);
    else if (type === 'C') this.#completed(head, new FieldReader(body).text());
    else if (type === 'Z') this.#ready(head);
    else if (type === '1') this.#shift('parse');
    else if (type === '2') this.#shift('bind');
    else if (type === '3') this.#shift('close');
    else if (type === 'T') this.#described(head, new FieldReader(body));
    else if (type === 'n') this.#shift('describe');
    else if (type === 't') this.#learnTypes(head, new FieldReader(body));
    else if (type === 'I') this.#completed(head, '');
    else if (type === 's') this.#suspended(head);
    else if (type === 'E') this.#failed(head, errorFields(body));
    else if (type === 'A') this.#notified(body, bytes);
    else if (type === 'd') exchange?.addCopied(body, bytes);
    else if (type === 'W') this.#lose('it replicates');
    else if (!'RSKNvGHcV'.includes(type)) this.#lose();
  }

  #shift(awaited: Awaited['for']): void {
    if (this.#awaited[0]?.for === awaited) this.#awaited.shift();
    else this.#lose();
  }

  #described(head: Awaited | undefined, fields: FieldReader): void {
    const columns = list(fields, () => readColumn(fields));
    if (head?.for === 'query') head.exchange.describe(columns);
    else if (head?.for === 'describe') {
      if (head.prepared !== undefined) head.prepared.columns = columns;
      this.#awaited.shift();
    } else this.#lose();
  }

  #learnTypes(head: Awaited | undefined, fields: FieldReader): void {
    if (head?.for === 'describe' && head.prepared !== undefined)
      head.prepared.types = list(fields, () => fields.uint32());
  }

  /** A simple query may have several statements; its answer ends when the server is ready for the next. */
  #completed(head: Awaited | undefined, command: string): void {
    if (head === undefined || !('exchange' in head)) return;
    head.exchange.complete(command);
    if (head.for === 'execute') this.#end(head.exchange);
  }

  #suspended(head: Awaited | undefined): void {
    if (head?.for !== 'execute') return;
    head.exchange.suspend();
    this.#end(head.exchange);
  }

  #end(exchange: StatementExchange): void {
    this.#awaited.shift();
    this.#listener.ended(exchange);
  }

  #ready(head: Awaited | undefined): void {
    if (head?.for === 'query') this.#end(head.exchange);
    else if (head?.for === 'sync' || head?.for === 'startup') this.#awaited.shift();
    else if (head !== undefined) this.#lose();
  }

  /** After an error the server skips what was sent, up to the next sync. */
  #failed(head: Awaited | undefined, error: Readonly<Record<string, string>>): void {
    if (head === undefined) return;
    if (head.for === 'query') {
      head.exchange.error = error;
      return;
    }
    if (head.for === 'startup' || head.for === 'sync') {
      this.#awaited.shift();
      this.#reportOwn(head.for === 'startup' ? 'CONNECT' : 'SYNC', error);
      if (head.for === 'sync') this.#awaited.unshift(head);
      return;
    }
    const until = this.#awaited.findIndex((one) => one.for === 'sync');
    const skipped = this.#awaited.splice(0, until < 0 ? this.#awaited.length : until);
    const executed = skipped.flatMap((one) => ('exchange' in one ? [one.exchange] : []));
    if (executed.length === 0) this.#reportOwn(head.for === 'parse' ? head.prepared.text : 'BIND', error);
    for (const [index, exchange] of executed.entries()) {
      exchange.error = index === 0 ? error : { message: 'skipped, because a statement before it failed' };
      this.#listener.ended(exchange);
    }
  }

  #reportOwn(statement: string, error: Readonly<Record<string, string>>): void {
    const exchange = new StatementExchange(this.#database, statement, 0);
    exchange.error = error;
    this.#listener.begun(exchange);
    this.#listener.ended(exchange);
  }

  /** Sent at any time, to a client that listens. */
  #notified(body: Buffer, bytes: number): void {
    const fields = new FieldReader(body);
    fields.int32();
    const bound = { prepared: { text: '', types: [] }, params: [fields.text(), fields.text()], formats: [] };
    const exchange = new StatementExchange(this.#database, 'NOTIFICATION', 0, bound);
    exchange.receivedBytes = bytes + 5;
    this.#listener.begun(exchange);
    this.#listener.ended(exchange);
  }
}

/** Of one message: a statement, or a row. */
const keptBytes = storeLimits.statementBytes;

function list<Item>(fields: FieldReader, read: (index: number) => Item): Item[] {
  const count = fields.int16();
  const items: Item[] = [];
  for (let index = 0; index < count && !fields.isOver; index += 1) items.push(read(index));
  return items;
}

function formatOf(code: number): WireFormat {
  return code === 1 ? 'binary' : 'text';
}

function readColumn(fields: FieldReader): Column {
  const name = fields.text();
  fields.bytes(6);
  const type = fields.uint32();
  fields.bytes(6);
  return { name, type, format: formatOf(fields.int16()) };
}

/** The database, which is the user's where none is named. */
function startupValue(fields: FieldReader): string {
  const values = new Map<string, string>();
  while (!fields.isOver) {
    const name = fields.text();
    if (name === '') break;
    values.set(name, fields.text());
  }
  return values.get('database') ?? values.get('user') ?? '';
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

function errorFields(body: Buffer): Readonly<Record<string, string>> {
  const fields = new FieldReader(body);
  const error: Record<string, string> = {};
  while (!fields.isOver) {
    const key = errorKeys.get(fields.byte());
    const value = fields.text();
    if (key !== undefined) error[key] = value;
  }
  return error;
}
