/** Does one step: waits for its `when`, acts, waits for what it expects, and journals all of it. */
import type { Expectation } from '../../checks/hold-against.ts';
import { holdExchange } from '../../checks/hold-exchange.ts';
import { whoIsBusy } from '../../checks/judge-restless.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { Act, ActEvidence, DriverContext } from '../../drivers/driver.ts';
import { type ServiceAction, serviceActions } from '../../environment/renewal/service-actions.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { within } from '../../kernel/deadline.ts';
import { defined } from '../../kernel/defined.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { DriverStep } from '../../kinds/kind/step-kind.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { Resolved } from '../../patterns/scope.ts';
import { driverAtHand, hasDriver, loadDriver, stepDocument } from '../kinds/step-table.ts';
import type { Step } from '../trial.ts';
import { sendStepResults } from './arrange.ts';
import { type Attempt, tooLong } from './attempt.ts';
import { type FilledIn, filledIn } from './filled-in.ts';
import { mayStillCome } from './may-still-come.ts';
import { awaited, createProbe } from './probe.ts';
import { reachQuiet } from './reach-quiet.ts';
import { runInside } from './run-inside.ts';

export interface StepOutcome {
  readonly done: boolean;
  readonly because?: string;
  readonly evidence: unknown;
}

export async function doStep(attempt: Attempt, step: Step): Promise<StepOutcome> {
  const outcome = await withinLife(attempt, (mortal) => waitAndAct(mortal, step));
  await sendStepResults(attempt, step.name);
  return outcome;
}

/** The attempt as a step sees it: also aborted when a service dies meanwhile. */
export async function withinLife<T>(attempt: Attempt, work: (mortal: Attempt) => Promise<T>): Promise<T> {
  const { deaths } = attempt;
  const watch = deaths.watch();
  const signal = AbortSignal.any([attempt.signal, watch.signal]);
  const gaveUpBecause = (): string | undefined => (watch.signal.aborted ? deaths.summary : undefined);
  try {
    return await work({ ...attempt, signal, driving: { ...attempt.driving, signal }, gaveUpBecause });
  } finally {
    watch.end();
  }
}

async function waitAndAct(attempt: Attempt, step: Step): Promise<StepOutcome> {
  const { journal } = attempt;
  const vain = step.when && (await waitInVain(attempt, step, step.when));
  if (vain || step.kind === 'until') return endWait(attempt, step, vain);
  const { missing, value: spec, fault } = filledSpec(attempt, step, 1);
  // The driver describes the act best.
  if (hasDriver(step.kind) && !driverAtHand(step.kind)) await loadDriver(step.kind);
  journal.emit({
    type: 'step.started',
    step: step.name,
    action: fault === undefined ? actionOf(step, spec) : `${step.kind} ${printValue(spec[step.kind])}`,
    sent: spec,
  });
  const unfit = missing.length > 0 ? `\${${missing[0]}} has no value` : fault;
  if (unfit !== undefined) return end(attempt, step, { evidence: null, sentBytes: 0 }, unfit);
  try {
    return await act(attempt, step, spec);
  } catch (error) {
    const [problem] = problemsIn(error);
    const message = problem ? `${problem.what}; ${problem.next}` : String(error);
    const evidence = { error: { kind: 'not-started', message } };
    return end(attempt, step, { evidence, sentBytes: 0 }, message);
  }
}

interface Acted {
  readonly evidence: unknown;
  readonly sentBytes: number;
}

async function act(attempt: Attempt, step: Step, spec: Step['spec']): Promise<StepOutcome> {
  if (isServiceVerb(step.kind)) {
    const evidence = await actOnService(attempt, step.kind, String(spec[step.kind]), step.timeoutMs);
    return end(attempt, step, { evidence, sentBytes: 1 });
  }
  if (stepKind(step.kind).isInside?.(spec)) {
    const evidence = withCause(attempt, step, await runInside(attempt, spec, step.timeoutMs));
    return end(attempt, step, { evidence, sentBytes: 1 }, faultOf(step, evidence));
  }
  if (step.kind === 'quiet') {
    const quiet = await reachQuiet(attempt, attempt.trial.settleMs, step.timeoutMs);
    const because = quiet.quiet
      ? undefined
      : `not quiet after ${formatDuration(step.timeoutMs)}: ${whoIsBusy(quiet)}`;
    return end(attempt, step, { evidence: quiet, sentBytes: 0 }, because);
  }
  const acts = await startAll(attempt, step, spec);
  const [first] = acts;
  if (!first) throw new Error('a step without an act');
  await Promise.all(acts.map(({ done }) => done));
  const whole = step.burst === undefined ? first : together(acts);
  attempt.acts.set(step.name, whole);
  const isOpen = first.connection !== undefined || stepKind(step.kind).continues !== undefined;
  if (isOpen) attempt.stillOpen.add(step.name);
  if (isOpen) await awaitExpected(attempt, step, whole);
  const evidence = withCause(attempt, step, whole.evidence());
  const acted = { evidence, sentBytes: acts.reduce((sum, one) => sum + one.sentBytes(), 0) };
  return end(attempt, step, acted, faultOf(step, evidence));
}

/** Which service died, or whose time was up, says more than that the step was aborted. */
function withCause(attempt: Attempt, { timeoutMs }: Step, evidence: ActEvidence): ActEvidence {
  const { signal, trial } = attempt;
  const early = `the time of the trial, ${formatDuration(trial.timeoutMs)}, was up before that of the step, ${formatDuration(timeoutMs)}`;
  const message = attempt.gaveUpBecause?.() ?? (signal.reason === tooLong ? early : undefined);
  return message === undefined || !evidence.error
    ? evidence
    : { ...evidence, error: { ...evidence.error, message } };
}

/** All acts of a burst begin in the same turn: slow preparation is done before. */
async function startAll(attempt: Attempt, step: Step, spec: Step['spec']): Promise<readonly Act[]> {
  const context: DriverContext = { ...attempt.driving, timeoutMs: step.timeoutMs, folder: step.folder };
  const specs = step.burst === undefined ? [spec] : burstSpecs(attempt, step, step.burst);
  const begins = await Promise.all(specs.map((one) => beginner(attempt, step, one, context)));
  const acts = begins.map((begin) => begin());
  for (const [index, { connection }] of acts.entries())
    if (connection)
      attempt.connections.set(index === 0 ? step.name : `${step.name} ${index + 1}`, connection);
  return acts;
}

/** Acts of a burst may differ by `${burst.index}`. */
function filledSpec(
  { scope }: Attempt,
  { kind, spec }: Step,
  index: number,
): FilledIn & Pick<Resolved, 'missing'> {
  const { value, missing } = scope.resolve(spec, { burst: { index } });
  const filled = value as Step['spec'];
  return { missing, ...(filled === spec ? { value: filled } : filledIn(stepDocument(kind), filled)) };
}

function burstSpecs(attempt: Attempt, step: Step, count: number): readonly Step['spec'][] {
  return Array.from({ length: count }, (_, index) => filledSpec(attempt, step, index + 1).value);
}

async function beginner(
  attempt: Attempt,
  step: Step,
  spec: Step['spec'],
  context: DriverContext,
): Promise<() => Act> {
  const prepared = driverStep(step.kind, spec);
  if ('fault' in prepared) throw new Error(prepared.fault);
  const made = prepared.step;
  const opener = stepKind(step.kind).continues?.(spec);
  if (opener !== undefined) {
    const connection = attempt.connections.get(opener);
    if (!connection) throw new Error(`no connection is open under the name ${opener}`);
    return () => connection.start(made, context);
  }
  const driver = driverAtHand(step.kind) ?? (await loadDriver(step.kind));
  return () => driver.start(made, context);
}

function driverStep(kind: string, spec: Step['spec']): DriverStep {
  return stepKind(kind).toDriver?.(spec) ?? { fault: `a \`${kind}\` step has no driver` };
}

/** The results of a burst, in the order in which its acts began. */
function together(acts: readonly Act[]): Act {
  return {
    done: Promise.resolve(),
    evidence: (): ActEvidence => ({ answers: acts.map((one) => one.evidence()) }),
    sentBytes: () => acts.reduce((sum, one) => sum + one.sentBytes(), 0),
  };
}

/** An open connection may still deliver what is expected; everything else is final. */
async function awaitExpected(attempt: Attempt, step: Step, whole: Act): Promise<void> {
  if (step.expect === undefined) return;
  const { clock } = attempt.environment;
  const endsAt = clock.monotonic() + step.timeoutMs;
  for (let pauseMs = 1; !expected(attempt, step, whole.evidence()); pauseMs = Math.min(pauseMs * 1.5, 50)) {
    if (clock.monotonic() >= endsAt || attempt.signal.aborted) return;
    const holds = (expect: unknown): boolean => expected(attempt, { ...step, expect }, whole.evidence());
    if (!mayStillCome(whole, step.expect, holds)) return;
    await clock.sleep(pauseMs);
  }
}

function expected(attempt: Attempt, step: Step, evidence: unknown): boolean {
  const { scope } = attempt;
  const clean = scope.bind(step.name, evidence);
  if (step.expect === undefined) return true;
  const { value, missing } = scope.forMatching({ expect: step.expect });
  return missing.length === 0 && holdExchange(value as Expectation, clean).held;
}

/** A step that could not be done ends the attempt, unless it was expected to fail. */
function faultOf(step: Step, evidence: ActEvidence): string | undefined {
  if (step.expect !== undefined) return undefined;
  if (evidence.error) return evidence.error.message;
  const answers = Array.isArray(evidence.answers) ? (evidence.answers as readonly ActEvidence[]) : [];
  const failed = answers.filter(({ error }) => error);
  return failed.length > 0
    ? `${failed.length} of ${answers.length}: ${failed[0]?.error?.message}`
    : undefined;
}

function end(attempt: Attempt, step: Step, acted: Acted, fault?: string, waited?: CheckRecord): StepOutcome {
  const holds = expected(attempt, step, acted.evidence);
  const because =
    fault ??
    (holds ? undefined : (attempt.gaveUpBecause?.() ?? 'the result did not match what was expected'));
  attempt.journal.emit({
    type: 'step.ended',
    step: step.name,
    outcome: because === undefined ? 'done' : 'failed',
    ...defined({ because }),
    ...acted,
    evidence: fromOutside(acted.evidence),
    ...defined({ waited }),
  });
  return { done: because === undefined, evidence: acted.evidence, ...defined({ because }) };
}

interface Vain {
  readonly because: string;
  /** Absent where a service died: that says more than what was observed. */
  readonly waited?: CheckRecord;
}

/** Undefined once it holds; otherwise why the step is not done. */
async function waitInVain(attempt: Attempt, step: Step, when: CheckRecord): Promise<Vain | undefined> {
  const withinMs = when.withinMs ?? step.timeoutMs;
  const waited = awaited(when, step.name, withinMs);
  const probe = createProbe(attempt, waited);
  const held = await probe.until(withinMs);
  probe.finish(held ? 'reached' : 'deadline');
  if (held) return undefined;
  const because = attempt.gaveUpBecause?.();
  if (because !== undefined) return { because };
  return {
    because: `waited ${formatDuration(withinMs)} for ${when.source}, which did not match what was expected`,
    waited,
  };
}

function endWait(attempt: Attempt, step: Step, vain: Vain | undefined): StepOutcome {
  const action = `wait for ${step.when?.source ?? 'a state'}`;
  attempt.journal.emit({ type: 'step.started', step: step.name, action });
  const acted = { evidence: { reached: vain === undefined }, sentBytes: 0 };
  return end(attempt, step, acted, vain?.because, vain?.waited);
}

function actionOf(step: Step, spec: Step['spec']): string {
  const times = step.burst === undefined ? '' : `${step.burst} × `;
  if (!hasDriver(step.kind)) {
    const what = stepKind(step.kind).continues ? onAction(spec) : '';
    return `${times}${step.kind} ${String(spec[step.kind])}${what}`;
  }
  const made = driverStep(step.kind, spec);
  const driver = driverAtHand(step.kind);
  return `${times}${driver && 'step' in made ? driver.describe(made.step) : `${step.kind} ${JSON.stringify(spec[step.kind])}`}`;
}

function onAction(spec: Step['spec']): string {
  const words = ['send', 'sendRaw', 'signal', 'receive', 'end'].filter((key) => spec[key] !== undefined);
  return words.map((key) => `, ${key} ${short(spec[key])}`).join('');
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function isServiceVerb(kind: string): kind is ServiceAction {
  return (serviceActions as readonly string[]).includes(kind);
}

async function actOnService(
  attempt: Attempt,
  verb: ServiceAction,
  name: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { ask, clock } = attempt.environment;
  const done = await within(clock, timeoutMs, ask('service', { name, do: verb }));
  if (done !== undefined) return { service: name, did: verb, ...(done.killed ? { killed: true } : {}) };
  const message = `${verb} of ${name} had not ended after ${formatDuration(timeoutMs)}`;
  return { service: name, error: { kind: 'timeout', message } };
}
