/** What one attempt under a lie has shown: that the trial notices, that it does not, or nothing at all. Pure. */
import { type AttemptView, type EventOf, viewAttempt } from '../../../checks/attempt-view.ts';
import { judge } from '../../../checks/judge-attempt.ts';
import { isStepCheck, stepCheckId } from '../../../checks/judge-steps.ts';
import { outside } from '../../../journal/topology.ts';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import type { LiveLie } from './place-lie.ts';
import { partyIn } from './touched-parties.ts';

export type LiedOutcome =
  /** It met the lie and passed all the same. */
  | 'green'
  /** It did not pass. */
  | 'red'
  /** It died because its own connection was refused or reset: none of its checks was asked. */
  | 'proves-nothing'
  /** Nobody met the lie during it. */
  | 'not-met'
  /** It was never performed to an end that says something, or its verdict is unknown. */
  | 'undecided';

export interface LiedVerdict {
  readonly outcome: LiedOutcome;
  /** In a few words, what turned red or why nothing is known. */
  readonly because: string;
}

export function judgeLiedAttempt(
  events: readonly AttemptEvent[],
  lie: Pick<LiveLie, 'service' | 'lie'>,
  feltOn: ReadonlyMap<string, number>,
): LiedVerdict {
  const { verdict, end, checks, cause } = judge(events);
  const view = viewAttempt(events);
  if (
    !view ||
    end === undefined ||
    end === 'interrupted' ||
    end === 'environment-broken' ||
    end === 'not-staged'
  )
    return { outcome: 'undecided', because: cause?.text ?? 'the attempt never began' };
  const met = [...feltOn.values()].reduce((sum, count) => sum + count, 0);
  if (met === 0) return { outcome: 'not-met', because: 'nobody met the lie' };
  const because = cause?.text ?? `it is ${verdict}`;
  if (verdict === 'passed') return { outcome: 'green', because: 'every check held' };
  // Nobody can say that a trial noticed what it could not decide.
  if (verdict === 'unknown') return { outcome: 'undecided', because };
  const failed = checks.filter((check) => check.verdict === 'failed').map(({ id }) => id);
  const died = lie.lie === 'dead' && diedOfItsConnection(view, lie.service, feltOn, failed);
  return { outcome: died ? 'proves-nothing' : 'red', because };
}

/** All that speaks against it is that it could not speak to the dead one itself. */
function diedOfItsConnection(
  view: AttemptView,
  service: string,
  feltOn: ReadonlyMap<string, number>,
  failed: readonly string[],
): boolean {
  const isOwn = [...feltOn.keys()].some((edge) => {
    const [from, to = ''] = edge.split(' -> ');
    return from === outside && partyIn(to) === service;
  });
  if (!isOwn || view.ended?.end === 'done' || view.ended?.end === 'timeout') return false;
  const own = new Set(
    [...view.steps.values()]
      .filter((step) => step.outcome === 'failed' && isCutOff(step) && speaksTo(view, step, service))
      .map(({ step }) => stepCheckId(step)),
  );
  return (
    own.size > 0 && failed.every((id) => !isStepCheck(id) || own.has(id)) && failed.some((id) => own.has(id))
  );
}

/** A flow does not write down to whom it speaks. */
function speaksTo({ record }: AttemptView, { step }: EventOf<'step.ended'>, service: string): boolean {
  const known = record.steps.find(({ name }) => name === step);
  if (!known) return record.kind === 'flow';
  return known.to === undefined ? known.driver === 'on' : partyIn(known.to) === service;
}

const lost = new Set(['refused', 'reset', 'closed', 'unreachable', 'not-started']);

/** Nothing came, and the connection is why. */
function isCutOff({ evidence }: EventOf<'step.ended'>): boolean {
  const one = (evidence ?? {}) as {
    readonly error?: { readonly kind?: string };
    readonly closedBy?: unknown;
    readonly bytesReceived?: unknown;
    readonly answers?: readonly unknown[];
  };
  if (Array.isArray(one.answers))
    return one.answers.some((answer) => isCutOff({ evidence: answer } as never));
  if (one.error?.kind !== undefined) return lost.has(one.error.kind);
  return one.closedBy !== undefined && one.closedBy !== 'us' && (one.bytesReceived ?? 0) === 0;
}
