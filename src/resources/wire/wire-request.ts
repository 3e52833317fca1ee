/** A request that has come in whole. */
import type { HttpHeaders, RequestHead } from '../../protocols/http/http-message.ts';

export interface WireRequest {
  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  /** Without query, as it was sent; of an absolute address the path alone. */
  readonly path: string;
  /** The first value of each name, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: HttpHeaders;
  readonly body: Buffer;
  /** The body was larger than accepted, and is not here: 413 is what is due. The connection ends with the answer. */
  readonly tooLarge?: true;
  readonly connection: WireConnectionFacts;
}

export interface WireConnectionFacts {
  /** Counted from 1 for each server. */
  readonly id: number;
  readonly localPort: number;
  readonly remotePort: number;
}

/** Path and query are parsed on demand. */
export class ReceivedRequest implements WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly body: Buffer;
  readonly connection: WireConnectionFacts;
  readonly isKeptAlive: boolean;
  /** HTTP/1.0 knows no chunks. */
  readonly knowsChunks: boolean;
  declare readonly tooLarge?: true;
  #path: string | undefined;
  #query: Readonly<Record<string, string>> | undefined;

  constructor(head: RequestHead, body: Buffer, connection: WireConnectionFacts, tooLarge: boolean) {
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.body = body;
    this.connection = connection;
    this.knowsChunks = head.minor === 1;
    this.isKeptAlive = wantsToStay(head);
    if (tooLarge) this.tooLarge = true;
  }

  get path(): string {
    this.#path ??= pathOf(this.target);
    return this.#path;
  }

  get query(): Readonly<Record<string, string>> {
    this.#query ??= queryOf(this.target);
    return this.#query;
  }
}

function wantsToStay({ minor, headers }: RequestHead): boolean {
  const { connection } = headers;
  if (connection === undefined) return minor === 1;
  return minor === 1 ? !/\bclose\b/i.test(connection) : /\bkeep-alive\b/i.test(connection);
}

function pathOf(target: string): string {
  const from = target.startsWith('/') ? 0 : afterOrigin(target);
  const mark = target.indexOf('?', from);
  const path = target.slice(from, mark === -1 ? target.length : mark);
  return path === '' ? '/' : path;
}

function afterOrigin(target: string): number {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i.exec(target)?.[0].length ?? 0;
}

function queryOf(target: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = Object.create(null);
  const mark = target.indexOf('?');
  if (mark === -1) return query;
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) query[name] ??= value;
  return query;
}
