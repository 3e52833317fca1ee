/** The result of one attempt under a mutant: the trial kills it, does not kill it, or nothing can be said. Pure. */
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import { judge } from '../../../checks/judge/judge-attempt.ts';
import { isStepCheck, stepCheckId } from '../../../checks/judge-steps.ts';
import { outside } from '../../../journal/topology.ts';
import type { AttemptEvent, EventOf } from '../../../journal/trial-event.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import type { LiveMutant } from './place-mutant.ts';

export type MutantOutcome =
  /** It met the mutant and still passed. */
  | 'survived'
  /** It did not pass. */
  | 'killed'
  /** It died because its own connection was refused or reset: none of its checks ran. */
  | 'proves-nothing'
  /** The mutant was never met during it. */
  | 'not-met'
  /** It did not end in a way that shows anything, or its verdict is unknown. */
  | 'undecided';

export interface MutantVerdict {
  readonly outcome: MutantOutcome;
  /** In a few words, what failed or why nothing is known. */
  readonly because: string;
}

export function judgeMutatedAttempt(
  events: readonly AttemptEvent[],
  mutant: Pick<LiveMutant, 'service' | 'mutant'>,
  feltOn: ReadonlyMap<string, number>,
): MutantVerdict {
  const { verdict, end, checks, cause } = judge(events);
  const view = viewAttempt(events);
  if (!view || end === undefined || showsNothing.has(end))
    return { outcome: 'undecided', because: cause?.text ?? 'the attempt never began' };
  const met = [...feltOn.values()].reduce((sum, count) => sum + count, 0);
  if (met === 0) return { outcome: 'not-met', because: 'nothing met the mutant' };
  const because = cause?.text ?? `it is ${verdict}`;
  if (verdict === 'passed') return { outcome: 'survived', because: 'every check held' };
  // An unknown verdict does not show that the trial killed the mutant.
  if (verdict === 'unknown') return { outcome: 'undecided', because };
  const failed = checks.filter((check) => check.verdict === 'failed').map(({ id }) => id);
  const died = mutant.mutant === 'dead' && diedOfItsConnection(view, mutant.service, feltOn, failed);
  return { outcome: died ? 'proves-nothing' : 'killed', because };
}

const showsNothing = new Set<string>(['interrupted', 'environment-broken', 'not-staged']);

/** The only failure is that the trial itself could not connect to the dead service. */
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

/** A flow does not record which service it calls. */
function speaksTo({ record }: AttemptView, { step }: EventOf<'step.ended'>, service: string): boolean {
  const known = record.steps.find(({ name }) => name === step);
  if (!known) return record.kind === 'flow';
  return known.to === undefined ? known.driver === 'on' : partyIn(known.to) === service;
}

/** Nothing was received. That its own connection met the dead service is what the tap says; how a driver names that may vary. */
function isCutOff({ evidence }: EventOf<'step.ended'>): boolean {
  const one = (evidence ?? {}) as {
    readonly error?: unknown;
    readonly status?: unknown;
    readonly closedBy?: unknown;
    readonly bytesReceived?: unknown;
    readonly answers?: readonly unknown[];
  };
  if (Array.isArray(one.answers))
    return one.answers.some((answer) => isCutOff({ evidence: answer } as never));
  if ((one.error ?? undefined) !== undefined) return one.status === undefined;
  return one.closedBy !== undefined && one.closedBy !== 'us' && (one.bytesReceived ?? 0) === 0;
}
