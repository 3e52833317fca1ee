/** The rules for single exchanges of one edge, and the connections on which they are in force. */
import { within } from '../../kernel/deadline.ts';
import type { Random } from '../../kernel/random.ts';
import type { ConnectionWatch } from '../calls/connection-watch.ts';
import type { Link } from '../link.ts';
import type { TapOptions } from '../tap.ts';
import type { ExchangeEdit } from './exchange-edit.ts';
import type { ExchangeRule } from './exchange-rule.ts';
import { ownHostEdit } from './own-host.ts';
import { PlacedRules } from './placed-rules.ts';
import { sendAgain } from './send-again.ts';

const settledWithinMs = 2_000;

export class EdgeExchanges {
  readonly #options: TapOptions;
  readonly #random: Random;
  readonly #closing = new AbortController();
  /** Disturbances of which it is not known yet whether they have arrived. */
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

  place(rules: readonly ExchangeRule[], links: ReadonlyMap<Link, ConnectionWatch | undefined>): void {
    this.#placings += 1;
    this.#rules =
      rules.length === 0 && this.#always === undefined
        ? undefined
        : new PlacedRules(rules, this.#random.fork(`exchanges ${this.#placings}`), this.#always);
    for (const [link, watch] of links) {
      link.reviewEdits();
      if (watch !== undefined) this.opened(link, watch);
    }
  }

  /** Resolves when all that was done so far has been told; a consumer that never reads is waited for no longer than this. */
  async settled(): Promise<void> {
    await within(this.#options.clock, settledWithinMs, Promise.all(this.#confirming));
  }

  /** A connection on which the rules are to be in force, as soon as none of its exchanges is under way. */
  opened(link: Link, watch: ConnectionWatch): void {
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
