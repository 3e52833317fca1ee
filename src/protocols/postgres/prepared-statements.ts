/** The statements that one connection has prepared, by name. */
import { storeLimits } from '../stores/store-conversation.ts';
import type { Prepared } from './statement-exchange.ts';

/** One that the server may still refuse. */
export interface Preparing {
  readonly name: string;
  readonly prepared: Prepared;
  /** Of the same name, before. */
  readonly replaced: Prepared | undefined;
}

export class PreparedStatements {
  readonly #statements = new Map<string, Prepared>();

  get(name: string): Prepared | undefined {
    const found = this.#statements.get(name);
    // What is used is kept longer, where perhaps not all can be.
    if (found !== undefined && this.#statements.size > storeLimits.prepared / 2) {
      this.#statements.delete(name);
      this.#statements.set(name, found);
    }
    return found;
  }

  /** Many are given up in SQL, which is not read, so that the one that was not used for longest is most likely gone. */
  prepare(name: string, prepared: Prepared): Preparing {
    const replaced = this.#statements.get(name);
    const [oldest] = this.#statements.size < storeLimits.prepared ? [] : this.#statements.keys();
    if (replaced === undefined && oldest !== undefined) this.#statements.delete(oldest);
    this.#statements.set(name, prepared);
    return { name, prepared, replaced };
  }

  /** The earlier one is still there: a name is given once. The one without a name is gone. */
  refused({ name, prepared, replaced }: Preparing): void {
    if (this.#statements.get(name) !== prepared) return;
    if (replaced === undefined || name === '') this.#statements.delete(name);
    else this.#statements.set(name, replaced);
  }

  close(name: string): void {
    this.#statements.delete(name);
  }
}
