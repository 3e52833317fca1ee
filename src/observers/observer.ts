/** What an observer is: it looks at one side of the system and gives what it sees as plain data. */
import type { AttemptResources } from '../drivers/attempt-resources.ts';
import type { CallEvent } from '../journal/call-event.ts';
import type { DeclaredFields } from '../journal/declared-field.ts';
import type { EnvironmentFacts } from '../journal/environment-facts.ts';
import type { SpanEvidence } from '../journal/peer-event.ts';
import type { Redactor } from '../journal/redaction.ts';
import type { Clock } from '../kernel/clock.ts';
import { untilAborted } from '../kernel/until-aborted.ts';

export interface Observer<Query> {
  /** The key of a check: `rows`, `files`, `logs`, `events`, `process`, `calls`, `changes`. */
  readonly name: string;
  /** Called when the attempt begins: whatever must be compared with "before" is noted here. */
  open(context: ObserverContext): Promise<Watch<Query>>;
}

export interface Watch<Query> {
  /** What can be seen now, as plain JSON. Rejects with an `ObservationError` when that cannot be known. */
  look(query: Query): Promise<unknown>;
  /** What the source of that query declares of the fields of its elements; absent where nothing does. */
  declared?(query: Query): Promise<DeclaredFields | undefined>;
  close(): Promise<void>;
}

/** A look ends with the attempt. */
export function watching<Query>(
  { signal }: Pick<ObserverContext, 'signal'>,
  look: (query: Query) => Promise<unknown>,
  close: () => Promise<void> | void = () => undefined,
): Watch<Query> {
  return { look: (query) => untilAborted(signal, look(query)), close: async () => close() };
}

/** The part of a `changes` check that compares what one kind of check observes. */
export interface Changes {
  readonly kind: string;
  /** Notes the state when the attempt begins, of which `begin` are the facts. */
  open(
    context: ObserverContext,
    begin: EnvironmentFacts,
  ): Promise<{ look(): Promise<readonly unknown[]>; close?(): Promise<void> }>;
}

/** The subject cannot be read: the database is down, the table does not exist. The check is then unknown, or waits. */
export class ObservationError extends Error {
  /** It may change by waiting; otherwise it is a mistake in the trial. */
  readonly retryable: boolean;

  constructor(message: string, retry: 'later' | 'never' = 'never') {
    super(message);
    this.name = 'ObservationError';
    this.retryable = retry === 'later';
  }
}

export interface ObserverContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What the keeper knows about the environment; asked each time. */
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
  /** For an observer that runs a program; absent where nothing may be started. */
  readonly programs?: ObserverPrograms;
  /** Runs the program of a `command` check, and gives what a step gets; absent where nothing may be started. */
  runCommand?(spec: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Folder of the config file. */
  readonly systemFolder: string;
}

export interface ObserverPrograms {
  readonly resources: AttemptResources;
  readonly env: Readonly<Record<string, string>>;
  started?(pid: number, argv: readonly string[]): Promise<() => Promise<void>>;
}
