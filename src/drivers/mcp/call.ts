/** One act's share in a client: how long it waits, and what it receives. */
import type { ActError } from '../driver.ts';
import type { ActRecord } from './act-record.ts';
import type { Reply } from './scripted-client.ts';

export interface Call {
  readonly record: ActRecord;
  /** What the step has prepared for a server that asks. */
  reply(method: string): Reply;
  /** The act is over, whether or not there was an answer. */
  readonly signal: AbortSignal;
  /** Says what is waited for now: `initialize was not answered`. */
  awaits(what: string): void;
  /** Why it was abandoned, once the signal is aborted. */
  overdue(): ActError;
}
