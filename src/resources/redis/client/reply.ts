/** What a server answers to a command, as plain values; texts are bytes. Pure. */
import type { AnyNumber } from '../../../kernel/exact-json.ts';

/** A status such as `OK` is a text, everything that was stored is bytes. */
export type Reply = null | string | boolean | AnyNumber | Buffer | Refusal | readonly Reply[];

/** An error instead of a value; also as one answer of a transaction. */
export interface Refusal {
  readonly error: string;
}

/** A command that the server does not execute, in its words: `WRONGTYPE Operation against a key …`. */
export class Refused extends Error {
  /** The server's own words. */
  readonly said: string;

  constructor({ error }: Refusal) {
    super(error);
    this.name = 'Refused';
    this.said = error;
  }
}

export function isRefusal(reply: Reply | undefined): reply is Refusal {
  return typeof reply === 'object' && reply !== null && 'error' in reply;
}

export function listIn(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : [];
}

/** Empty for what is not bytes. */
export function bytesIn(reply: Reply | undefined): Buffer {
  return Buffer.isBuffer(reply) ? reply : Buffer.alloc(0);
}
