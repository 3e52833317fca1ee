/** Follows one environment from outside: its events, the outcome of its boot, and how it ended. */
import { lastWord } from '../../environment/keeper/last-word.ts';
import type { Launched } from '../../environment/keeper/launch.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { isBulk } from '../../journal/writer.ts';
import { type Problem, problemFromData } from '../../kernel/problem.ts';

export type BootOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] }
  /** It was taken down meanwhile. */
  | { readonly kind: 'down' }
  /** The keeper is gone without a final message. */
  | { readonly kind: 'gone' };

export type UpSession = Awaited<ReturnType<typeof followSession>>;

export async function followSession(launched: Launched, show: (event: JournalEvent) => void) {
  const events: JournalEvent[] = [];
  const booted = Promise.withResolvers<BootOutcome>();
  const ended = Promise.withResolvers<BootOutcome>();
  const finish = (outcome: BootOutcome): void => {
    booted.resolve(outcome);
    ended.resolve(outcome);
  };
  launched.client.onEvent((event) => {
    // Keeping hours of traffic would fill the memory.
    if (!isBulk(event)) events.push(event);
    show(event);
    if (event.type === 'environment.ready') booted.resolve({ kind: 'ready' });
    if (event.type === 'environment.failed')
      finish({ kind: 'failed', problems: event.problems.map(problemFromData) });
    if (event.type === 'environment.down') finish({ kind: 'down' });
  });
  // A boot that fails at once may be over before we subscribe; then the journal has the outcome.
  const gone = launched.client.gone.then(async () => finish(await outcomeOf(launched.plan.runFolder)));
  await launched.client.ask('subscribe', { as: 'up' }).catch(() => gone);
  return {
    events,
    booted: booted.promise,
    /** Settles when the environment is no longer up: `down`, `failed` or `gone`. */
    ended: ended.promise,
    /** Processes that died while it was up, or errors during the teardown. */
    problems: (type: 'node.failed' | 'teardown.failed') =>
      events.flatMap((event) => (event.type === type ? [problemFromData(event.problem)] : [])),
  };
}

async function outcomeOf(runFolder: string): Promise<BootOutcome> {
  const word = await lastWord(runFolder);
  if (word?.type === 'environment.failed')
    return { kind: 'failed', problems: word.problems.map(problemFromData) };
  return { kind: word ? 'down' : 'gone' };
}
