/** Samples an observation for a flow: once, or until it matches. */
import { holdAgainst } from '../../checks/hold-against.ts';
import { defined } from '../../kernel/defined.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { printValue } from '../../patterns/print-value.ts';
import { withinLife } from '../perform/do-step.ts';
import { awaited, createProbe, type Seen } from '../perform/probe.ts';
import { anything, checkAsWritten } from './as-written.ts';
import type { Reply } from './do-act.ts';
import type { Ask } from './flow-message.ts';
import type { FlowPerformance } from './flow-performance.ts';

type AskedLook = Extract<Ask, { readonly do: 'look' }>;
type AskedUntil = Extract<Ask, { readonly do: 'until' }>;

export async function lookOnce(performance: FlowPerformance, ask: AskedLook): Promise<Reply> {
  const { attempt, known } = performance;
  // Accepts anything: the pattern comes with the check.
  const check = checkAsWritten('look', ask.watched, { expect: anything }, performance.place(ask.line), known);
  const probe = createProbe(attempt, check, `look ${performance.nextLook()}`);
  await probe.sample();
  const at = attempt.journal.at();
  const seen = probe.seen();
  probe.finish('quiet');
  if (!seen || 'unobservable' in seen)
    return {
      fault: `${check.source} could not be observed: ${seen?.unobservable ?? 'no observer sampled it'}`,
    };
  return { value: seen.value, origin: { looked: ask.watched, at } };
}

export async function waitUntil(performance: FlowPerformance, ask: AskedUntil): Promise<Reply> {
  const { attempt, known } = performance;
  const { watched, pattern, within } = ask;
  const place = performance.place(ask.line);
  const keys = { expect: pattern, ...defined({ within }) };
  const check = checkAsWritten('until', watched, keys, place, known);
  const step = `#${performance.nextStep()}`;
  const { journal } = attempt;
  journal.emit({ type: 'step.started', step, action: `wait for ${check.source}` });
  const withinMs = check.withinMs ?? limits.stepWithinMs;
  const waited = awaited(check, step, withinMs);
  const { probe, held, died } = await withinLife(attempt, async (mortal) => {
    const probe = createProbe(mortal, waited);
    return { probe, held: await probe.until(withinMs), died: mortal.gaveUpBecause?.() };
  });
  const at = journal.at();
  const seen = probe.seen();
  probe.finish(held ? 'reached' : attempt.signal.aborted ? 'attempt-over' : 'deadline');
  const because = held
    ? undefined
    : (died ??
      `waited ${formatDuration(withinMs)} for ${check.source}: ${whyNot(pattern, attempt.scope.clean(seen))}`);
  journal.emit({
    type: 'step.ended',
    step,
    outcome: held ? 'done' : 'failed',
    ...defined({ because }),
    evidence: { reached: held, ...(held || !seen ? {} : { last: seen }) },
    sentBytes: 0,
    ...(held || died !== undefined ? {} : { waited }),
  });
  if (because !== undefined) return { fault: because };
  const value = seen && 'value' in seen ? seen.value : undefined;
  // A connection continues; its state at this moment is a value.
  return watched.kind === 'exchange' ? { value } : { value, origin: { looked: watched, at } };
}

function whyNot(pattern: unknown, seen: Seen | undefined): string {
  if (!seen) return 'no observer could sample it';
  if ('unobservable' in seen) return `it could not be observed: ${seen.unobservable}`;
  const { expected, observed } = holdAgainst({ expect: pattern }, seen.value);
  return `expected ${expected}, observed ${observed}; the last value seen: ${printValue(seen.value)}`;
}
