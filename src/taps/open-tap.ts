/** Opens a tap: a proxy on one edge that passes everything on, counts it, and disturbs it on request. */
import type { Socket } from 'node:net';
import type { CallEvent } from '../journal/call-event.ts';
import type { JournalEventBody } from '../journal/event.ts';
import { limits } from '../kernel/limits.ts';
import { openFilesAdvice, raiseOpenFiles } from '../kernel/open-files.ts';
import { createRandom, type Random } from '../kernel/random.ts';
import { isExhaustion } from '../kernel/system-error.ts';
import { ConnectionWatch } from './calls/connection-watch.ts';
import { EdgeCalls } from './calls/edge-calls.ts';
import { type Disturbance, ruleFor } from './disturbance.ts';
import { resetSocket } from './end-socket.ts';
import { EdgeExchanges } from './exchanges/edge-exchanges.ts';
import type { ExchangeRule } from './exchanges/exchange-rule.ts';
import { loadEdits } from './exchanges/faults/edit-for.ts';
import { Link } from './link.ts';
import { Listener } from './listener.ts';
import type { Rule } from './rules/rule.ts';
import { StoreCalls } from './stores/store-calls.ts';
import { StoreWatch } from './stores/store-watch.ts';
import type { Tap, TapOptions, TapStats, Target } from './tap.ts';

export async function openTap(options: TapOptions): Promise<Tap> {
  const tap = new EdgeTap(options);
  await tap.listen();
  return tap;
}

type Refusal = Extract<JournalEventBody, { type: 'connection.refused' }>['because'];

class EdgeTap implements Tap {
  readonly from: string;
  readonly to: string;
  readonly host: string;
  readonly #options: TapOptions;
  readonly #random: Random;
  readonly #listener: Listener;
  /** Each with what looks at it. */
  readonly #links = new Map<Link, ConnectionWatch | StoreWatch | undefined>();
  readonly #calls: EdgeCalls | StoreCalls | undefined;
  readonly #exchanges: EdgeExchanges;
  readonly #activity: { lastAt: number };
  readonly #gone = { bytesSent: 0, bytesReceived: 0 };
  #rule: Rule;
  #connections = 0;
  #disturbances = 0;
  #disturbing: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #onLastLinkGone: () => void = () => undefined;

  constructor(options: TapOptions) {
    this.#options = options;
    this.from = options.from;
    this.to = options.to;
    this.host = options.host ?? '127.0.0.1';
    this.#random = options.random ?? createRandom(`${options.from} -> ${options.to}`);
    this.#calls =
      options.watch && (options.watch === 'http' ? new EdgeCalls(options) : new StoreCalls(options));
    this.#exchanges = new EdgeExchanges(options, this.#random, () => `${this.host}:${this.port}`);
    this.#activity = { lastAt: options.clock.monotonic() };
    this.#rule = ruleFor({ rule: 'pass' }, this.#random);
    this.#listener = new Listener({
      host: this.host,
      ...(options.port === undefined ? {} : { port: options.port }),
      clock: options.clock,
      onConnection: (consumer) => this.#accept(consumer),
      onAcceptError: (error) => this.#refused('too-many', `${error.message}${openFilesAdvice(error)}`),
    });
  }

  get port(): number {
    return this.#listener.port;
  }

  async listen(): Promise<void> {
    await this.#listener.open();
  }

  disturb(disturbance: Disturbance): Promise<void> {
    const turn = this.#disturbing.then(() => this.#apply(disturbance));
    this.#disturbing = turn.catch(() => undefined); // whoever gave the rule hears that it could not be applied
    return turn;
  }

  async disturbExchanges(rules: readonly ExchangeRule[]): Promise<void> {
    const { from, to, watch } = this.#options;
    const loaded = await loadEdits(rules.map(({ fault }) => fault));
    const isRead = watch === 'http';
    if (rules.length > 0 && (this.#closing !== undefined || !isRead))
      throw new Error(
        `the tap on ${from} -> ${to} ${isRead ? 'is closed' : 'does not look for exchanges of HTTP'} and cannot disturb single ones`,
      );
    if (rules.length === 0) await this.#exchanges.settled();
    this.#exchanges.place(rules, this.#links, loaded);
  }

  stats(): TapStats {
    const links = [...this.#links.keys()];
    const sum = (count: (link: Link) => number): number =>
      links.reduce((total, link) => total + count(link), 0);
    return {
      open: links.length,
      total: this.#connections,
      bytesSent: this.#gone.bytesSent + sum((link) => link.sent.passedBytes),
      bytesReceived: this.#gone.bytesReceived + sum((link) => link.received.passedBytes),
      bytesWaiting: sum((link) => link.waitingBytes),
      callsInFlight: this.#calls?.inFlight ?? 0,
      lastActivityAt: this.#activity.lastAt,
    };
  }

  callsInFlight(): readonly CallEvent[] {
    return this.#calls?.views() ?? [];
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#disturbing;
    this.#exchanges.close();
    const doorClosed = this.#listener.close();
    const lastLinkGone = new Promise<void>((resolve) => {
      this.#onLastLinkGone = resolve;
    });
    if (this.#links.size === 0) this.#onLastLinkGone();
    for (const link of this.#links.keys()) link.drop('tap-closed');
    await Promise.all([doorClosed, lastLinkGone]);
    this.#calls?.close();
  }

  async #apply(disturbance: Disturbance): Promise<void> {
    const { from, to, emit } = this.#options;
    if (this.#closing !== undefined)
      throw new Error(`the tap on ${from} -> ${to} is closed and cannot ${disturbance.rule}`);
    this.#disturbances += 1;
    this.#rule = ruleFor(disturbance, this.#random.fork(`disturbance ${this.#disturbances}`));
    for (const link of this.#links.keys()) link.obey(this.#rule);
    await (this.#rule.listens ? this.#listener.open() : this.#listener.shut());
    emit({ type: 'edge.disturbed', from, to, rule: this.#rule.kind });
  }

  #accept(consumer: Socket): void {
    const target = this.#options.target();
    const shortage = this.#shortage(consumer);
    const because = this.#whyNot(target) ?? (shortage === undefined ? undefined : 'too-many');
    if (target === undefined || because !== undefined) {
      consumer.on('error', () => undefined);
      resetSocket(consumer);
      this.#refused(because ?? 'provider-not-listening', shortage);
      return;
    }
    this.#open(consumer, target);
  }

  #whyNot(target: Target | undefined): Refusal | undefined {
    if (!this.#rule.listens || this.#rule.admits === false || this.#closing !== undefined) return 'rule';
    return target === undefined ? 'provider-not-listening' : undefined;
  }

  /** Why we cannot carry one more, and what to do. Once no file can be opened at all, connections are lost silently. */
  #shortage(consumer: Socket): string | undefined {
    const { tapConnections, openFiles = Number.POSITIVE_INFINITY } = this.#options.limits ?? {};
    const most = tapConnections ?? limits.tapConnections;
    if (this.#links.size >= most) return `at most ${most} may be open on an edge at a time`;
    // Each gets the lowest free number. A third is left for responders, which take a connection too, and for ourselves.
    return descriptorOf(consumer) * 3 < openFiles * 2
      ? undefined
      : `its keeper may have at most ${openFiles} files open, and keeps a third of them free; ${raiseOpenFiles}`;
  }

  #open(consumer: Socket, target: Target): void {
    const { from, to, clock, emit } = this.#options;
    this.#connections += 1;
    const watch = this.#watchFor(this.#connections);
    const link = new Link({
      connection: this.#connections,
      consumer,
      target,
      clock,
      mostBufferedBytes: this.#options.limits?.tapBufferedBytes ?? limits.tapBufferedBytes,
      activity: this.#activity,
      watch,
      onUnreachable: (error) =>
        isExhaustion(error)
          ? this.#refused('too-many', `${error.message}${openFilesAdvice(error)}`)
          : this.#refused('provider-unreachable'),
      onClosed: () => this.#closed(link),
      onFelt: ({ kind: disturbance }, what) =>
        emit({
          type: 'disturbance.felt',
          from,
          to,
          disturbance,
          crossing: 0,
          connection: link.connection,
          what,
        }),
    });
    this.#links.set(link, watch);
    this.#activity.lastAt = link.openedAt;
    emit({ type: 'connection.opened', from, to, connection: link.connection });
    link.obey(this.#rule);
    this.#exchanges.opened(link, watch);
  }

  #watchFor(connection: number): ConnectionWatch | StoreWatch | undefined {
    const calls = this.#calls;
    if (calls instanceof StoreCalls) return new StoreWatch(calls, connection);
    return calls && new ConnectionWatch(calls, connection);
  }

  #refused(because: Refusal, what?: string): void {
    const { from, to, clock, emit } = this.#options;
    this.#activity.lastAt = clock.monotonic();
    const why = because === 'too-many' && what !== undefined ? { what } : {};
    emit({ type: 'connection.refused', from, to, because, ...why });
  }

  #closed(link: Link): void {
    const { from, to, clock, emit } = this.#options;
    const now = clock.monotonic();
    const bytesSent = link.sent.passedBytes;
    const bytesReceived = link.received.passedBytes;
    this.#links.get(link)?.closed(now, link.end);
    this.#links.delete(link);
    this.#activity.lastAt = now;
    this.#gone.bytesSent += bytesSent;
    this.#gone.bytesReceived += bytesReceived;
    const { firstByteAt } = link.received;
    emit({
      type: 'connection.closed',
      from,
      to,
      connection: link.connection,
      end: link.end,
      bytesSent,
      bytesReceived,
      openMs: now - link.openedAt,
      ...(firstByteAt === undefined ? {} : { firstByteMs: firstByteAt - link.openedAt }),
    });
    if (this.#links.size === 0) this.#onLastLinkGone();
  }
}

/** Node does not report it otherwise. */
function descriptorOf(socket: Socket & { readonly _handle?: { readonly fd?: number } | null }): number {
  return socket._handle?.fd ?? 0;
}
