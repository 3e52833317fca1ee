/** The portals of one connection: statements with their parameters, whose rows are read at once or in batches. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { storeLimits } from '../stores/store-conversation.ts';
import type { Bound, StatementExchange } from './statement-exchange.ts';

interface Portal {
  readonly bound: Bound;
  exchange?: StatementExchange;
}

export class Portals {
  readonly #portals = new Map<string, Portal>();

  boundOf(name: string): Bound | undefined {
    return this.#portals.get(name)?.bound;
  }

  /** Gives what a portal of this name was read as: it is closed. */
  bind(name: string, bound: Bound): StatementExchange | undefined {
    const replaced = this.close(name);
    const [oldest] = this.#portals.keys();
    // They are closed with their transaction, too, so that the oldest is most likely gone.
    if (this.#portals.size >= storeLimits.prepared && oldest !== undefined) this.#portals.delete(oldest);
    this.#portals.set(name, { bound });
    return replaced;
  }

  /** With its transaction. */
  closeAll(): void {
    if (this.#portals.size > 0) this.#portals.clear();
  }

  close(name: string): StatementExchange | undefined {
    const closed = this.#portals.get(name)?.exchange;
    this.#portals.delete(name);
    return closed;
  }

  /** The same for every batch. */
  execute(name: string, begin: (bound: Bound) => StatementExchange) {
    const portal = this.#portals.get(name);
    // A cursor that was declared in SQL is a portal, too.
    if (portal === undefined) return { bound: unknownBound, exchange: begin(unknownBound) };
    portal.exchange ??= begin(portal.bound);
    return { bound: portal.bound, exchange: portal.exchange };
  }
}

/** Of a statement that was prepared in SQL, or too long ago. */
export const unknownText = { text: cutMark, types: [] } as const;
const unknownBound: Bound = { prepared: { ...unknownText }, params: [], paramCount: 0, formats: [] };
