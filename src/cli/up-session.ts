/** Follows one environment from the CLI's side: its events, how its boot ended, and its way down. */

import type { Launched } from '../environment/keeper/launch.ts';
import type { DownResult } from '../environment/keeper/messages.ts';
import type { JournalEvent } from '../journal/event.ts';
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
  /** Why it went down, as the keeper said; empty while it is up. */
  readonly because: () => string;
  takeDown(because: string): Promise<DownResult>;
  /** Waits, within limits, until the guard has swept. False when it is still at it. */
  swept(): Promise<boolean>;
}

export async function followSession(
  launched: Launched,
  clock: Clock,
  show: (event: JournalEvent) => void,
): Promise<UpSession> {
  const events: JournalEvent[] = [];
  const deaths: Problem[] = [];
  const booted = Promise.withResolvers<BootOutcome>();
  const ended = Promise.withResolvers<BootOutcome>();
  const finish = (outcome: BootOutcome): void => {
    booted.resolve(outcome);
    ended.resolve(outcome);
  };
  let because = '';
  launched.client.onEvent((event) => {
    if (event.type !== 'connection.opened' && event.type !== 'connection.closed') events.push(event);
    show(event);
    if (event.type === 'environment.ready') booted.resolve({ kind: 'ready' });
    if (event.type === 'environment.failed')
      finish({ kind: 'failed', problems: event.problems.map(problemFromData) });
    if (event.type === 'node.failed') deaths.push(problemFromData(event.problem));
    if (event.type === 'environment.stopping') because = event.because;
    if (event.type === 'environment.down') finish({ kind: 'down' });
  });
  void launched.client.gone.then(() => finish({ kind: 'gone' }));
  await launched.client.ask('subscribe', { as: 'up' }).catch(() => finish({ kind: 'gone' }));
  return {
    events,
    deaths,
    booted: booted.promise,
    ended: ended.promise,
    because: () => because,
    takeDown: (reason) => launched.client.ask('down', { because: reason }),
    swept: async () =>
      (await within(
        clock,
        limits.teardownWithinMs,
        launched.guardEnded.then(() => true),
      )) ?? false,
  };
}
