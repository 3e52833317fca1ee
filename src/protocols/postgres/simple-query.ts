/** The statements of one simple query, which are answered one after the other. */
import { cutMark } from '../../kernel/cut-mark.ts';
import type { StoreListener } from '../stores/store-conversation.ts';
import { splitStatements } from './split-statements.ts';
import { StatementExchange } from './statement-exchange.ts';

export interface QueryText {
  readonly text: string;
  readonly bytes: number;
  readonly database: string;
  /** A backslash escapes in every string. */
  readonly escapes: boolean;
}

export class SimpleQuery {
  readonly #listener: StoreListener;
  readonly #database: string;
  /** More statements may be in the part that was not kept. */
  #isCut: boolean;
  readonly #left: StatementExchange[];

  constructor(query: QueryText, listener: StoreListener) {
    const { text, bytes, database } = query;
    this.#listener = listener;
    this.#database = database;
    this.#isCut = text.endsWith(cutMark);
    const texts = textsIn(query);
    this.#left = texts.map(
      (one) => new StatementExchange(database, one, texts.length === 1 ? bytes : Buffer.byteLength(one)),
    );
    for (const exchange of this.#left) listener.begun(exchange);
  }

  get left(): number {
    return this.#left.length;
  }

  /** The one that is answered now; undefined where the server answers more than it was asked. */
  answered(): StatementExchange | undefined {
    if (this.#left.length === 0 && this.#isCut) {
      const unknown = new StatementExchange(this.#database, cutMark, 0);
      this.#left.push(unknown);
      this.#listener.begun(unknown);
    }
    return this.#left[0];
  }

  complete(command: string): void {
    const done = this.#left.shift();
    if (done === undefined) return;
    done.complete(command);
    this.#listener.ended(done);
    const [next] = this.#left;
    if (next !== undefined) this.#listener.reached(next);
  }

  /** The rest is not executed. */
  fail(error: Readonly<Record<string, string>>): void {
    this.#isCut = false;
    for (const [index, exchange] of this.#left.splice(0).entries()) {
      exchange.error =
        index === 0 ? error : { message: 'not executed, because the query that it is a part of failed' };
      this.#listener.ended(exchange);
    }
  }
}

/** One alone is as it was sent, with what follows its end. */
function textsIn({ text, escapes }: QueryText): readonly string[] {
  const end = text.indexOf(';');
  if (end < 0 || text.slice(end + 1).trim() === '') return [text];
  const statements = splitStatements(text, escapes);
  const known = statements.at(-1)?.trim() === cutMark ? statements.slice(0, -1) : statements;
  return known.length === 0 || (known.length === 1 && statements.length === 1) ? [text] : known;
}
