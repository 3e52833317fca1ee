/** The rules for single exchanges of one edge, and the connections on which they are in force. */
import { connect } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import type { Random } from '../../kernel/random.ts';
import { createResponseReader } from '../../protocols/http/http-reader.ts';
import { ConnectionWatch } from '../calls/connection-watch.ts';
import type { Link } from '../link.ts';
import type { TapOptions, Target } from '../tap.ts';
import type { ExchangeEdit } from './exchange-edit.ts';
import { exchangeLimits } from './exchange-limits.ts';
import type { ExchangeRule } from './exchange-rule.ts';
import type { LoadedEdits } from './faults/edit-for.ts';
import { headLines, joinHead, nameOf } from './framing.ts';
import { PlacedRules } from './placed-rules.ts';

const settledWithinMs = 2_000;

export class EdgeExchanges {
  readonly #options: TapOptions;
  readonly #random: Random;
  readonly #closing = new AbortController();
  /** Disturbances that may not have arrived yet. */
  readonly #confirming = new Set<Promise<void>>();
  /** What is done to every exchange, whatever the rules. */
  #always: (() => ExchangeEdit) | undefined;
  #rules: PlacedRules | undefined;
  #placings = 0;

  /** `own` is the address of the tap. */
  constructor(options: TapOptions, random: Random, own: () => string) {
    this.#options = options;
    this.#random = random;
    if (options.hostHeader === 'own') this.#always = () => ownHostEdit(own(), options.target());
    this.place([], new Map());
  }

  place(rules: readonly ExchangeRule[], links: ReadonlyMap<Link, unknown>, loaded?: LoadedEdits): void {
    this.#placings += 1;
    this.#rules =
      rules.length === 0 && this.#always === undefined
        ? undefined
        : new PlacedRules(rules, this.#random.fork(`exchanges ${this.#placings}`), this.#always, loaded);
    for (const [link, watch] of links) {
      link.reviewEdits();
      this.opened(link, watch);
    }
  }

  /** Resolves when all faults so far have been reported; a consumer that never reads is awaited no longer than this. */
  async settled(): Promise<void> {
    await within(this.#options.clock, settledWithinMs, Promise.all(this.#confirming));
  }

  /** A connection on which the rules are to be in force, as soon as none of its exchanges is in progress. */
  opened(link: Link, watch: unknown): void {
    if (!(watch instanceof ConnectionWatch)) return;
    watch.onIdle = undefined;
    if (this.#rules === undefined || link.isEdited) return;
    if (watch.isIdle && link.isClear) this.#edit(link, watch);
    else watch.onIdle = () => this.opened(link, watch);
  }

  close(): void {
    this.#rules = undefined;
    this.#closing.abort();
  }

  #edit(link: Link, watch: ConnectionWatch): void {
    const { from, to, emit, clock, target } = this.#options;
    const { connection } = link;
    link.edit({
      rules: () => this.#rules,
      begun: ({ editsResponse }) => {
        const call = watch.newest;
        if (call !== undefined) call.isDisturbed = editsResponse;
        return call?.crossing ?? 0;
      },
      sendAgain: (method, bytes) =>
        sendAgain({ target: target(), method, bytes, clock, signal: this.#closing.signal }),
      onConfirming: (confirming) => {
        this.#confirming.add(confirming);
        void confirming.then(() => this.#confirming.delete(confirming));
      },
      onFelt: ({ crossing }, disturbance, what) =>
        emit({ type: 'disturbance.felt', from, to, disturbance, crossing, connection, what }),
      onUnfit: ({ crossing }, disturbance, what) =>
        emit({ type: 'disturbance.unfit', from, to, disturbance, crossing, connection, what }),
    });
  }
}

/** `tap` is what a consumer takes for the provider's address. */
function ownHostEdit(tap: string, provider: Target | undefined): ExchangeEdit {
  if (provider === undefined) return {};
  const own = provider.authority ?? `${provider.host}:${provider.port}`;
  const changed = (line: string): string => {
    const name = nameOf(line).toLowerCase();
    if (name === 'host') return `Host: ${own}`;
    return name === 'origin' ? line.replace(`//${tap}`, `//${own}`) : line;
  };
  return {
    request: (part) =>
      part.is === 'head' ? [{ ...part, raw: joinHead(headLines(part.raw).map(changed), 'latin1') }] : [part],
  };
}

interface SecondSending {
  readonly target: Target | undefined;
  readonly method: string;
  readonly bytes: readonly Buffer[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** True when the whole answer has come. Its content is dropped. */
function sendAgain({ target, method, bytes, clock, signal }: SecondSending): Promise<boolean> {
  if (target === undefined || signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port, noDelay: true });
    const settle = (isAnswered: boolean): void => {
      cancel();
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(isAnswered);
    };
    const giveUp = (): void => settle(false);
    const cancel = clock.after(exchangeLimits.secondAnswerWithinMs, giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    let hasHead = false;
    const reader = createResponseReader({
      onHead: () => {
        hasHead = true;
        return method === 'HEAD' ? 'no-body' : undefined;
      },
      onBody: () => undefined,
      onEnd: () => settle(hasHead),
    });
    socket.on('data', (chunk) => reader.push(chunk) !== 'reading' && giveUp());
    socket.on('end', () => reader.end());
    socket.on('error', giveUp);
    socket.on('close', giveUp);
    for (const piece of bytes) socket.write(piece);
  });
}
