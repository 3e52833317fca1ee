/** What an observer is: it looks at one side of the system and gives what it sees as plain data. */
import type { CallEvent } from '../journal/call-event.ts';
import type { Clock } from '../kernel/clock.ts';

export interface Observer<Query> {
  /** The key of a check: `rows`, `files`, `logs`, `events`, `process`, `calls`, `changes`. */
  readonly name: string;
  /** What is looked at, without conditions: `rows health.symptoms`. Two checks with one source see the same thing. */
  source(query: Query): string;
  /** Called when the attempt begins: whatever must be compared with "before" is noted here. */
  open(context: ObserverContext): Promise<Watch<Query>>;
}

export interface Watch<Query> {
  /** What can be seen now, as plain JSON. Rejects with `CannotSee` when that cannot be known. */
  look(query: Query): Promise<unknown>;
  close(): Promise<void>;
}

/** The thing cannot be looked at: the database is away, there is no such table. The check is then unknown, or waits on. */
export class CannotSee extends Error {
  /** `later` may change by waiting; `never` is a mistake in the trial. */
  readonly hope: 'later' | 'never';

  constructor(message: string, hope: 'later' | 'never') {
    super(message);
    this.name = 'CannotSee';
    this.hope = hope;
  }
}

export interface ObserverContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What the keeper knows of the environment; asked anew each time. */
  facts(): Promise<EnvironmentFacts>;
  /**
   * What passed the edges since the attempt began, in the order in which it ended, and what is in flight. A call that is there
   * both in flight and ended, or in flight several times, counts once.
   */
  calls(): readonly CallEvent[] | Promise<readonly CallEvent[]>;
  /** Folder of the config file. */
  readonly systemFolder: string;
}

export interface EnvironmentFacts {
  readonly services: readonly ServiceFacts[];
  /** A place in a database for each consumer that has one. */
  readonly databases: readonly DatabaseFacts[];
}

export interface ServiceFacts {
  readonly name: string;
  /** The number outside of every namespace; null while it does not run. */
  readonly pid: number | null;
  /** How often it was started in this environment. */
  readonly starts: number;
  readonly logFile: string;
  /** Its own folders: `${self.dir}`, `${self.home}`, `${self.tmp}`. */
  readonly folders: { readonly dir: string; readonly home: string; readonly tmp: string };
  /** Programs on its PATH that are recorded: name of the edge's end to the folder of the records. */
  readonly shims: Readonly<Record<string, string>>;
}

export interface DatabaseFacts {
  readonly resource: string;
  /** Who owns the place; null for what everybody shares. */
  readonly service: string | null;
  /** With every right, past the tap: what we look at must not look like traffic. */
  readonly url: string;
  /** Null where the whole database is the service's. */
  readonly schema: string | null;
}
