/** What a driver is: it acts on the system from outside, and reports the result as plain data. */
import type { Clock } from '../kernel/clock.ts';
import type { ActError } from '../kinds/kind/act-error.ts';
import type { AttemptResources } from './attempt-resources.ts';

export interface Driver<Step> {
  /** The key of a step: `http`, `tcp`, `mcp`, `command`. */
  readonly name: string;
  /** One line for people: `POST agent/ask`. */
  describe(step: Step): string;
  /** Begins to act. What the other side does, or fails to do, is evidence; nothing is thrown for it. */
  start(step: Step, context: DriverContext): Act;
}

/** One act, in progress or done. */
export interface Act {
  /** Settles when the act ends: the answer or the messages came, the program ended, or time is over. Never rejects. */
  readonly done: Promise<void>;
  /** What is known now, as plain JSON. After `done` it changes only where a connection stays open. */
  evidence(): ActEvidence;
  /** The keys of the evidence that may still change after `done`, where a connection stays open; all of them where absent. */
  readonly grows?: readonly string[];
  /** Bytes that were really handed to the system so far. */
  sentBytes(): number;
  /** What later steps act on by `on: <as>`. Closed by the runner at the end of the attempt. */
  readonly connection?: OpenConnection;
}

export type ActEvidence = Readonly<Record<string, unknown>> & { readonly error?: ActError };

export type { ActError };

/** A connection that outlives the step which opened it. */
export interface OpenConnection {
  /** Acts on it. What arrives from now on belongs to this act, until the next one begins. */
  start(step: unknown, context: DriverContext): Act;
  close(): Promise<void>;
}

export interface DriverContext {
  readonly clock: Clock;
  /** The attempt is given up. */
  readonly signal: AbortSignal;
  /** After this the act is over, with `error.kind: timeout` where an answer was due. */
  readonly timeoutMs: number;
  /** Where the outside reaches a service: `agent`, or `agent.admin` for a listener of that name. */
  address(target: string): Address;
  /** Where a redirect of the target is followed to; rejects where it must not be. Undefined: wherever it points. */
  redirected?(target: string, url: string): Promise<Redirected> | undefined;
  /** Folder of the trial's file; relative paths in a step start there. */
  readonly folder: string;
  /** A disposable folder of this attempt. */
  readonly scratch: string;
  /** For programs that a driver starts. */
  readonly env: Readonly<Record<string, string>>;
  /** How much of one body is kept as evidence; the rest is counted and hashed. */
  readonly bodyBytes: number;
  /** What the steps of the attempt have in common. Without it, nothing outlives its act. */
  readonly resources?: AttemptResources;
  /** The same, but alive until the last sample of the attempt was taken. */
  readonly lasting?: AttemptResources;
  /**
   * Called for each process that a driver has started, so that it is ended even if we are gone. If the call fails, the
   * process is ended. The returned function is called when the process has ended.
   */
  started?(pid: number, argv: readonly string[]): Promise<() => Promise<void>>;
}

/** `origin`: there instead. `address`: what its host was resolved to. */
export type Redirected = { readonly origin: string } | { readonly address: string };

export interface Address {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** `scheme://host:port` */
  readonly url: string;
}
