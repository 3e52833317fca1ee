/** Reads both directions of a PostgreSQL connection, and finds each statement with its answer. Pure. */
import { type StoreConversation, type StoreListener, storeLimits } from '../stores/store-conversation.ts';
import { type FieldReader, FrameReader, type PostgresFrame } from './frame-reader.ts';
import { createColumnReader, readBound, readDatabase, readError, readTypes } from './message-fields.ts';
import { Portals, unknownText } from './portals.ts';
import { PreparedStatements, type Preparing } from './prepared-statements.ts';
import { SimpleQuery } from './simple-query.ts';
import {
  type Bound,
  type Column,
  type Prepared,
  type SentValue,
  StatementExchange,
} from './statement-exchange.ts';

/** What the client waits for, in the order in which it asked. */
type Awaited =
  | { readonly for: 'startup' | 'sync' }
  | { readonly for: 'parse'; readonly preparing: Preparing }
  | { readonly for: 'bind' | 'close'; readonly closes: StatementExchange | undefined }
  | { readonly for: 'describe'; readonly prepared: Prepared | undefined }
  | { readonly for: 'execute'; exchange: StatementExchange; readonly bound: Bound }
  | { readonly for: 'query'; readonly query: SimpleQuery };

const codes = { tls: 80_877_103, gss: 80_877_104, cancel: 80_877_102 } as const;

export class PostgresConversation implements StoreConversation {
  readonly protocol = 'postgres';
  closedBecause: string | undefined;
  readonly #listener: StoreListener;
  readonly #sent = new FrameReader((frame) => this.#asked(frame), keptBytes, true);
  readonly #received = new FrameReader((frame) => this.#said(frame), keptBytes);
  readonly #statements = new PreparedStatements();
  readonly #portals = new Portals();
  readonly #readColumns = createColumnReader();
  /** Portals of which more can be read. */
  readonly #paused = new Set<StatementExchange>();
  readonly #awaited: Awaited[] = [];
  #database = '';
  /** A backslash escapes in every string. */
  #escapes = false;
  /** The answer is one byte. */
  #isAskingTls = false;
  /** It asked for another connection to be cancelled: nothing follows, in either direction. */
  #isDone = false;
  /** After an error, the server skips what is still to come, up to the next sync. */
  #isSkipping = false;
  /** The server expects data, and ignores a sync meanwhile. */
  #isCopyingIn = false;
  #isLost = false;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  sent(bytes: Buffer): boolean {
    if (!this.#isLost && (this.#isDone || !this.#sent.push(bytes))) this.#lose();
    return !this.#isLost;
  }

  received(bytes: Buffer): boolean {
    const rest = this.#isAskingTls && bytes.length > 0 ? this.#takeTlsAnswer(bytes) : bytes;
    if (!this.#isLost && (this.#isDone || !this.#received.push(rest))) this.#lose();
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

  #asked({ type, fields, bytes }: PostgresFrame): void {
    const whole = bytes + 5;
    if (type === '') this.#begin(fields);
    else if (type === 'Q') this.#query(fields.text(), whole);
    else if (type === 'P') this.#parse(fields);
    else if (type === 'B') this.#bind(fields, fields.leftBytes < bytes);
    else if (type === 'D') this.#describe(fields);
    else if (type === 'E') this.#execute(fields, whole);
    else if (type === 'C') this.#closeOne(fields);
    else if (type === 'S') this.#sync();
    else if (type === 'F') this.#query(`function call ${fields.uint32()}`, whole);
    else if (type === 'd') this.#copying()?.addCopied(fields.rest(), bytes);
    else if (type === 'c' || type === 'f') this.#endCopying();
    else if (type === 'X') this.#endPaused();
    else if (!'Hp'.includes(type)) this.#lose();
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
      this.#isDone = true;
    } else if (code >>> 16 !== 3) this.#lose();
    else {
      this.#database = readDatabase(fields);
      this.#await({ for: 'startup' });
    }
  }

  #query(text: string, bytes: number): void {
    const asked = { text, bytes, database: this.#database, escapes: this.#escapes };
    const query = new SimpleQuery(asked, this.#listener);
    this.#await({ for: 'query', query });
    if (query.left > storeLimits.pipelined) this.#lose(tooMany);
  }

  #parse(fields: FieldReader): void {
    const name = fields.text();
    const text = fields.text();
    const preparing = this.#statements.prepare(name, { text, types: readTypes(fields) });
    this.#await({ for: 'parse', preparing });
  }

  #bind(fields: FieldReader, isCut: boolean): void {
    const portal = fields.text();
    const prepared = this.#statements.get(fields.text()) ?? { ...unknownText };
    const closes = this.#portals.bind(portal, readBound(fields, prepared, isCut));
    this.#await({ for: 'bind', closes });
  }

  #describe(fields: FieldReader): void {
    const kind = fields.byte();
    const name = fields.text();
    const prepared = kind === 'S' ? this.#statements.get(name) : this.#portals.boundOf(name)?.prepared;
    this.#await({ for: 'describe', prepared });
  }

  #execute(fields: FieldReader, bytes: number): void {
    const { bound, exchange } = this.#portals.execute(fields.text(), (of) => this.#beginBound(of, bytes));
    this.#await({ for: 'execute', exchange, bound });
    if (this.#paused.delete(exchange)) this.#listener.paused(exchange, false);
  }

  #beginBound(bound: Bound, bytes: number): StatementExchange {
    const exchange = new StatementExchange(this.#database, bound.prepared.text, bytes, bound);
    this.#listener.begun(exchange);
    return exchange;
  }

  #closeOne(fields: FieldReader): void {
    const kind = fields.byte();
    const name = fields.text();
    // Portals of a statement outlive it.
    if (kind === 'S') this.#statements.close(name);
    this.#await({ for: 'close', closes: kind === 'S' ? undefined : this.#portals.close(name) });
  }

  #await(awaited: Awaited): void {
    this.#awaited.push(awaited);
    if (this.#awaited.length > storeLimits.pipelined) this.#lose(tooMany);
  }

  /** Only one copies at a time. */
  #copying(): StatementExchange | undefined {
    return this.#answeredBy(this.#awaited.find((one) => one.for === 'query' || one.for === 'execute'));
  }

  #endCopying(): void {
    const copying = this.#copying();
    if (copying !== undefined) copying.isCopied = true;
    this.#isCopyingIn = false;
  }

  /** Where all data was sent before it was asked for, a sync is behind it. */
  #beginCopying(head: Awaited | undefined): void {
    if (head?.for !== 'execute' || head.exchange.isCopied) return;
    this.#isCopyingIn = true;
    while (this.#awaited[1]?.for === 'sync') this.#awaited.splice(1, 1);
  }

  #answeredBy(head: Awaited | undefined): StatementExchange | undefined {
    if (head?.for === 'query') return head.query.answered();
    if (head?.for !== 'execute') return undefined;
    // More than the end of what has ended is news.
    if (head.exchange.isEnded) head.exchange = this.#beginBound(head.bound, 0);
    return head.exchange;
  }

  #said(frame: PostgresFrame): void {
    const { type, fields, bytes } = frame;
    const head = this.#awaited[0];
    if (results.includes(type)) this.#answered(head, frame);
    else if (type === 'Z') this.#ready(head, fields.byte());
    else if (type === '1') this.#shift('parse');
    else if (type === '2') this.#closed('bind');
    else if (type === '3') this.#closed('close');
    else if (type === 'n') this.#shift('describe');
    else if (type === 't') this.#learnTypes(head, fields);
    else if (type === 'E') this.#failed(head, readError(fields));
    else if (type === 'S') this.#learnSetting(fields);
    else if (type === 'A') this.#notified(fields, bytes);
    else if (type === 'G') this.#beginCopying(head);
    else if (type === 'W') this.#lose('it replicates');
    else if (!'RKNvHc'.includes(type)) this.#lose();
  }

  #shift(awaited: Awaited['for']): void {
    if (this.#awaited[0]?.for === awaited) this.#awaited.shift();
    else this.#lose();
  }

  #closed(awaited: 'bind' | 'close'): void {
    const [head] = this.#awaited;
    const closes = head !== undefined && 'closes' in head ? head.closes : undefined;
    if (closes !== undefined && this.#paused.has(closes)) this.#end(closes);
    this.#shift(awaited);
  }

  /** What belongs to a statement: columns, rows, what is copied, its end. */
  #answered(head: Awaited | undefined, frame: PostgresFrame): void {
    const { type, fields } = frame;
    if (head?.for === 'describe' && type === 'T') this.#described(head, this.#readColumns(fields));
    // A portal that was read to its end has no more.
    else if (head?.for === 'execute' && head.exchange.isEnded && 'CI'.includes(type)) this.#awaited.shift();
    else {
      const exchange = this.#answeredBy(head);
      if (exchange === undefined) this.#lose(head?.for === 'query' ? unmatched : undefined);
      else this.#add(exchange, frame);
    }
  }

  #described({ prepared }: Awaited & { readonly for: 'describe' }, columns: readonly Column[]): void {
    if (prepared !== undefined) prepared.columns = columns;
    this.#awaited.shift();
  }

  #add(exchange: StatementExchange, { type, fields, bytes }: PostgresFrame): void {
    exchange.receivedBytes += bytes + 5;
    if (type === 'D') exchange.addRow(fields.rest());
    else if (type === 'd') exchange.addCopied(fields.rest(), bytes);
    else if (type === 'T') exchange.describe(this.#readColumns(fields));
    else if (type === 's') this.#suspended(exchange);
    else this.#completed(type === 'C' ? fields.text() : '');
  }

  #learnTypes(head: Awaited | undefined, fields: FieldReader): void {
    if (head?.for === 'describe' && head.prepared !== undefined) head.prepared.types = readTypes(fields);
  }

  #learnSetting(fields: FieldReader): void {
    if (fields.text() === 'standard_conforming_strings') this.#escapes = fields.text() === 'off';
  }

  #completed(command: string): void {
    const [head] = this.#awaited;
    if (head?.for === 'query') head.query.complete(command);
    if (head?.for !== 'execute') return;
    this.#awaited.shift();
    head.exchange.complete(command);
    this.#end(head.exchange);
  }

  #suspended(exchange: StatementExchange): void {
    this.#awaited.shift();
    exchange.pause();
    const isAskedFor = this.#awaited.some((one) => one.for === 'execute' && one.exchange === exchange);
    if (isAskedFor) return;
    this.#paused.add(exchange);
    this.#listener.paused(exchange, true);
  }

  #end(exchange: StatementExchange): void {
    this.#paused.delete(exchange);
    exchange.isEnded = true;
    this.#listener.ended(exchange);
  }

  #endPaused(): void {
    for (const exchange of this.#paused) this.#end(exchange);
  }

  /** A transaction that ended, or failed, has closed its portals. */
  #ready(head: Awaited | undefined, status: string): void {
    if (head?.for === 'query' && head.query.left > 0) this.#lose(unmatched);
    else if (head !== undefined && !endsAtReady.has(head.for)) this.#lose();
    else {
      this.#awaited.shift();
      if (status !== 'T') this.#endPaused();
      // What was bound behind the end of the transaction is of the next one.
      if (status === 'I' && this.#awaited.length === 0) this.#portals.closeAll();
    }
  }

  #failed(head: Awaited | undefined, error: Readonly<Record<string, string>>): void {
    if (head === undefined) return;
    if (head.for === 'query' && head.query.answered() !== undefined) head.query.fail(error);
    else if (head.for === 'query' || head.for === 'sync') this.#reportOwn('SYNC', error);
    else if (head.for === 'startup') {
      this.#awaited.shift();
      this.#reportOwn('CONNECT', error);
    } else this.#skipToSync(head, error);
  }

  /** After an error the server skips what was sent, up to the next sync. */
  #skipToSync(head: Awaited, error: Readonly<Record<string, string>>): void {
    this.#answeredBy(head);
    this.#isCopyingIn = false;
    const until = this.#awaited.findIndex((one) => one.for === 'sync');
    this.#isSkipping = until < 0;
    const skipped = this.#awaited.splice(0, until < 0 ? this.#awaited.length : until);
    if (!skipped.some((one) => one.for === 'execute'))
      this.#reportOwn(head.for === 'parse' ? head.preparing.prepared.text : 'BIND', error);
    this.#skipAll(skipped, error);
  }

  #sync(): void {
    if (this.#isCopyingIn) return;
    if (this.#isSkipping) this.#skipAll(this.#awaited.splice(0), behind);
    this.#isSkipping = false;
    this.#await({ for: 'sync' });
  }

  /** The error is of the first one that was to be executed. */
  #skipAll(skipped: readonly Awaited[], error: Readonly<Record<string, string>>): void {
    let said = error;
    for (const one of skipped) {
      if (one.for === 'query') one.query.fail(behind);
      if (one.for !== 'execute') continue;
      this.#skip(one.exchange, said);
      said = behind;
    }
    for (const one of skipped.toReversed()) if (one.for === 'parse') this.#statements.refused(one.preparing);
  }

  /** A portal that was begun before is as far as it was read. */
  #skip(exchange: StatementExchange, error: Readonly<Record<string, string>>): void {
    if (exchange.isEnded) return;
    if (error !== behind || !exchange.isPaused) exchange.error = error;
    this.#end(exchange);
  }

  #reportOwn(statement: string, error: Readonly<Record<string, string>>): void {
    const exchange = new StatementExchange(this.#database, statement, 0);
    exchange.error = error;
    this.#listener.begun(exchange);
    this.#listener.ended(exchange);
  }

  /** Sent at any time, to a client that listens. */
  #notified(fields: FieldReader, bytes: number): void {
    fields.int32();
    const params = [fields.text(), fields.text()].map(sentText);
    const bound = { prepared: { text: '', types: [] }, params, paramCount: params.length, formats: [] };
    const exchange = new StatementExchange(this.#database, 'NOTIFICATION', 0, bound);
    exchange.receivedBytes = bytes + 5;
    this.#listener.begun(exchange);
    this.#listener.ended(exchange);
  }
}

const endsAtReady: ReadonlySet<Awaited['for']> = new Set(['query', 'sync', 'startup']);
/** Columns, rows, copied data, the end of a statement, of a batch, of none, of a function. */
const results = 'TDdCsIV';
const tooMany = 'too many messages wait for their answers';
const unmatched = 'the results of a query are not those of its statements';
const behind = { message: 'skipped, because a statement before it failed' };

function sentText(value: string): SentValue {
  return { value, format: 'text' };
}

/** Of one message: a statement, or a row. */
const keptBytes = storeLimits.statementBytes;
