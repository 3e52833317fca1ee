/** The check under test: a check or the `expect` of a step, what it observed, and how it judges a mutated value. */
import { withAbsence } from '../../checks/absence.ts';
import type { AttemptView, ProbeView } from '../../checks/attempt-view.ts';
import { derivedKinds } from '../../checks/derived-queries.ts';
import type { Expectation } from '../../checks/hold-against.ts';
import { judgeCheck } from '../../checks/judge-check.ts';
import { judgeSteps, stepCheckId } from '../../checks/judge-steps.ts';
import type { CheckRecord, StepRecord } from '../../checks/trial-record.ts';
import type { Verdict } from '../../checks/verdict.ts';
import type { EventOf } from '../../journal/trial-event.ts';
import { defined } from '../../kernel/defined.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { resolvePattern, resolveQuery } from '../../patterns/scope.ts';
import type { Question } from './asked-for.ts';
import { withMirrored } from './mirrored-changes.ts';

/** Checks with the same source see the same thing. */
export interface CheckUnderTest
  extends Pick<CheckRecord, 'id' | 'line' | 'kind' | 'source' | 'mode' | 'absence' | 'provenBy'> {
  /** With its references resolved. */
  readonly expectation: Expectation;
  /** Conditions of the observation, as a pattern. */
  readonly where?: unknown;
  /** The whole query to an observer. */
  readonly question?: Question;
  /** The step whose answer it reads, where it does, and its kind. */
  readonly step?: string;
  readonly driver?: string;
  /** False where an error of that step ends the attempt. */
  readonly isAfterError?: boolean;
  /** The whole evidence counts: a golden output, or a closed world. */
  readonly readsAll: boolean;
  /** What was seen. */
  readonly value: unknown;
  /** The verdict when this is seen instead. */
  judge(mutated: unknown): Verdict;
}

/** Checks that read the journal as a whole are judged elsewhere, closures nowhere. */
export function checksUnderTest(view: AttemptView): readonly CheckUnderTest[] {
  const steps = view.record.steps.filter(({ expect }) => expect !== undefined);
  return [
    ...steps.flatMap((step) => ofStep(step, view)),
    ...view.checks
      .filter(({ kind, opaque }) => !opaque && !derivedKinds.includes(kind))
      .flatMap((check) => ofCheck(withAbsence(check, view.scope), view)),
  ];
}

function ofStep(step: StepRecord, view: AttemptView): readonly CheckUnderTest[] {
  const done = view.steps.get(step.name);
  if (!done) return [];
  const alone = { ...view.record, steps: [step] };
  return [
    {
      id: stepCheckId(step.name),
      line: step.line,
      kind: 'exchange',
      source: exchangeSource(step.name),
      mode: 'quiet',
      absence: false,
      expectation: { expect: resolvePattern(step.expect, view.scope).value },
      step: step.name,
      driver: step.driver,
      readsAll: false,
      value: done.evidence,
      judge: (mutated) =>
        judgeSteps({ ...withAnswer(view, done, mutated), record: alone })[0]?.verdict ?? 'unknown',
    },
  ];
}

/** A check that is not one of the trial's: empty where nothing that it would have observed is known. */
export function underTest(check: CheckRecord, view: AttemptView): readonly CheckUnderTest[] {
  return ofCheck(withAbsence(check, view.scope), view);
}

function ofCheck(check: CheckRecord, view: AttemptView): readonly CheckUnderTest[] {
  const seen = seenBy(check, view);
  if (!seen) return [];
  const { value: expectation } = resolvePattern({ expect: check.expect, count: check.count }, view.scope);
  const { value: query } = resolveQuery(check.query, view.scope, checkKind(check.kind)?.forms);
  const { where } = query as { readonly where?: unknown };
  const { id, line, kind, mode, absence, provenBy } = check;
  const done = view.record.steps.find(({ name }) => name === seen.step);
  const driver = done?.driver;
  return [
    {
      ...defined({ id, line, kind, mode, absence, provenBy, where, step: seen.step, driver }),
      source: seen.step === undefined ? check.source : exchangeSource(seen.step),
      expectation: expectation as Expectation,
      ...(done && kind === 'exchange' ? { isAfterError: isDoneWithError(done) } : {}),
      ...(kind === 'exchange' || kind === 'value' ? {} : { question: query as Question }),
      readsAll: check.golden !== undefined || check.only !== undefined,
      value: seen.value,
      judge: seen.judge,
    },
  ];
}

/** It expects an error, or what it opened may end later. */
function isDoneWithError({ expect, driver }: StepRecord): boolean {
  const { opens, continues } = stepKind(driver);
  return opens !== undefined || continues !== undefined || JSON.stringify(expect ?? null).includes('"error"');
}

type Seen = Pick<CheckUnderTest, 'value' | 'step' | 'judge'>;

function seenBy(check: CheckRecord, view: AttemptView): Seen | undefined {
  const step = check.kind === 'exchange' ? view.steps.get(String(check.query.exchange)) : undefined;
  const probe = view.probes.get(check.id);
  if (probe && probe.samples.length > 0) return seenByProbe(check, view, probe, step);
  if (step)
    return {
      value: step.evidence,
      step: step.step,
      judge: (mutated) => judgeCheck(check, withAnswer(view, step, mutated)).verdict,
    };
  if (check.kind !== 'value') return undefined;
  return {
    value: check.query.value,
    judge: (mutated) => judgeCheck({ ...check, query: { ...check.query, value: mutated } }, view).verdict,
  };
}

/**
 * A `within` is mutated from its first satisfying sample on; the probe would then have polled until its deadline. A
 * `throughout` and a `never` are mutated once.
 */
function seenByProbe(
  check: CheckRecord,
  view: AttemptView,
  probe: ProbeView,
  step: EventOf<'step.ended'> | undefined,
): Seen | undefined {
  const sampled = probe.samples.flatMap((sample) => (sample.type === 'probe.sampled' ? [sample] : []));
  const judgeSamples = (samples: ProbeView['samples'], scope = view.scope, around = view): Verdict => {
    const end = probe.end && { ...probe.end, end: 'deadline' as const };
    const probes = new Map(around.probes).set(check.id, { samples, end });
    return judgeCheck(check, { ...around, probes, scope }).verdict;
  };
  const satisfying =
    check.mode === 'within'
      ? sampled.findIndex((sample) => judgeSamples([sample]) === 'passed')
      : sampled.length - 1;
  const first = sampled[satisfying];
  if (!first) return undefined;
  return {
    value: first.value,
    ...(step ? { step: step.step } : {}),
    judge: (mutated) =>
      judgeSamples(
        probe.samples.map((sample) =>
          sample.type === 'probe.sampled' && sampled.indexOf(sample) >= satisfying
            ? { ...sample, value: mutated }
            : sample,
        ),
        step ? { ...view.scope, [step.step]: mutated } : view.scope,
        withMirrored(check, view, first.value, mutated),
      ),
  };
}

/** References to the same answer would have shown the mutated value as well. */
function withAnswer(view: AttemptView, step: EventOf<'step.ended'>, mutated: unknown): AttemptView {
  return {
    ...view,
    steps: new Map(view.steps).set(step.step, { ...step, evidence: mutated }),
    scope: { ...view.scope, [step.step]: mutated },
  };
}

export function exchangeSource(step: string): string {
  return `exchange ${step}`;
}
