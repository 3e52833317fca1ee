/** What an observer is: it looks at one side of the system and gives what it sees as plain data. */
import type { CallEvent } from '../journal/call-event.ts';
import type { EnvironmentFacts } from '../journal/environment-facts.ts';
import type { SpanEvidence } from '../journal/peer-event.ts';
import type { Redactor } from '../journal/redaction.ts';
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
  /** What services sent since the attempt began, in order of receipt; absent where nothing receives it. */
  spans?(): readonly SpanEvidence[];
  /** For what cannot be redacted any more once it is seen, because only a part of it is. */
  readonly redactor: Redactor;
  /** Folder of the config file. */
  readonly systemFolder: string;
}
