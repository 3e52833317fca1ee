/** Follows one environment from the CLI's side: its events, how its boot ended, and its way down. */
import { lastWord } from '../environment/keeper/last-word.ts';
import type { Launched } from '../environment/keeper/launch.ts';
import { type TakenDown, takeDown } from '../environment/keeper/take-down.ts';
import type { JournalEvent } from '../journal/event.ts';
import { isBulk } from '../journal/writer.ts';
import type { Clock } from '../kernel/clock.ts';
import { within } from '../kernel/deadline.ts';
import { limits } from '../kernel/limits.ts';
import { type Problem, problemFromData } from '../kernel/problem.ts';

export type BootOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] }
  /** Somebody took it down meanwhile. */
  | { readonly kind: 'down' }
  /** The keeper is gone without a word. */
  | { readonly kind: 'gone' };

export interface UpSession {
  readonly events: readonly JournalEvent[];
  readonly booted: Promise<BootOutcome>;
  /** Settles when the environment is no longer up: `down`, `failed` or `gone`. */
  readonly ended: Promise<BootOutcome>;
  /** What died by itself while the environment was up. */
  readonly deaths: readonly Problem[];
  /** What went wrong on the way down. */
  readonly teardownProblems: readonly Problem[];
  /** Why it goes down, as the keeper said; undefined while it is up. */
  readonly reason: () => Extract<JournalEvent, { type: 'environment.stopping' }> | undefined;
  wasReady(): boolean;
  takeDown(because: string): Promise<TakenDown>;
  /** Cuts the goodbyes short of a way down that is under way. */
  hurry(): void;
  /** Waits, within limits, until the guard has swept. False when it is still at it. */
  swept(): Promise<boolean>;
}

export async function followSession(
  launched: Launched,
  clock: Clock,
  show: (event: JournalEvent) => void,
): Promise<UpSession> {
  const events: JournalEvent[] = [];
  const booted = Promise.withResolvers<BootOutcome>();
  const ended = Promise.withResolvers<BootOutcome>();
  const finish = (outcome: BootOutcome): void => {
    booted.resolve(outcome);
    ended.resolve(outcome);
  };
  launched.client.onEvent((event) => {
    // Hours of traffic would fill the memory.
    if (!isBulk(event)) events.push(event);
    show(event);
    if (event.type === 'environment.ready') booted.resolve({ kind: 'ready' });
    if (event.type === 'environment.failed')
      finish({ kind: 'failed', problems: event.problems.map(problemFromData) });
    if (event.type === 'environment.down') finish({ kind: 'down' });
  });
  // A boot that fails at once may be over before we can listen; it is written down then.
  const gone = launched.client.gone.then(async () => finish(await outcomeOf(launched.plan.runFolder)));
  await launched.client.ask('subscribe', { as: 'up' }).catch(() => gone);
  const problemsOf = (type: 'node.failed' | 'teardown.failed'): readonly Problem[] =>
    events.flatMap((event) => (event.type === type ? [problemFromData(event.problem)] : []));
  return {
    events,
    booted: booted.promise,
    ended: ended.promise,
    get deaths() {
      return problemsOf('node.failed');
    },
    get teardownProblems() {
      return problemsOf('teardown.failed');
    },
    reason: () => events.find((event) => event.type === 'environment.stopping'),
    wasReady: () => events.some(({ type }) => type === 'environment.ready'),
    takeDown: (because) => takeDown(launched.client, launched.plan, because, clock),
    hurry: () => {
      const asked = launched.client.ask('down', { because: 'asked again', hurry: true });
      asked.catch(() => 'it is gone already');
    },
    swept: async () =>
      (await within(
        clock,
        limits.teardownWithinMs,
        launched.guardEnded.then(() => true),
      )) ?? false,
  };
}

async function outcomeOf(runFolder: string): Promise<BootOutcome> {
  const word = await lastWord(runFolder);
  if (word?.type === 'environment.failed')
    return { kind: 'failed', problems: word.problems.map(problemFromData) };
  return { kind: word ? 'down' : 'gone' };
}
