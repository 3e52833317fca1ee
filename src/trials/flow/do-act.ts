/** Does one act of a flow: a step like any other, named, journalled, and freed once it can no longer be referred to. */
import { holdExchange } from '../../checks/hold-exchange.ts';
import { stepCheckId } from '../../checks/judge-steps.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { ActEvidence } from '../../drivers/driver.ts';
import { defined } from '../../kernel/defined.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { doStep, type StepOutcome } from '../perform/do-step.ts';
import type { RawMap } from '../read/placed.ts';
import type { Step } from '../trial.ts';
import { stepAsWritten } from './as-written.ts';
import type { Answer, Ask } from './flow-message.ts';
import type { FlowPerformance } from './flow-performance.ts';

export type AskedAct = Extract<Ask, { readonly do: 'act' }>;
/** An answer without the number of its request. */
export type Reply = Answer extends infer One ? (One extends Answer ? Omit<One, 'say' | 'id'> : never) : never;

export async function doAct(performance: FlowPerformance, ask: AskedAct): Promise<Reply> {
  const { attempt } = performance;
  const step = stepOf(performance, ask);
  const outcome = await doStep(attempt, step);
  if (ask.settings.expect !== undefined)
    attempt.journal.emit({ type: 'check.declared', check: stepCheck(step, ask.line) });
  const line = lineOf(step);
  if (line !== undefined) openLine(performance, line, step.name);
  attempt.scope.bind(step.name, undefined);
  if (line === undefined) attempt.acts.delete(step.name);
  if (!outcome.done) return { fault: `step ${step.name}: ${whyNot(attempt.scope.clean, step, outcome)}` };
  const { evidence: value } = outcome;
  if (line === undefined) return { value, origin: { step: step.name } };
  return { value, connection: line, soFar: soFar(performance, line) };
}

/** With `mayFail`, any result may hold an error instead. */
const resultOrError = { $any: [{ error: { $present: true } }, { $present: true }] };

function stepOf(performance: FlowPerformance, { kind, spec, settings, line }: AskedAct): Step {
  const position = performance.nextStep();
  const stays = stepKind(kind).opens?.(spec) === true;
  const as = settings.as ?? (stays ? `${kind}-${position}` : undefined);
  const expect = settings.expect === undefined && settings.mayFail ? resultOrError : settings.expect;
  const raw: RawMap = { ...spec, ...defined({ as, timeout: settings.within, expect }) };
  const step = stepAsWritten(raw, position, performance.place(line), performance.known);
  if (performance.names.has(step.name))
    throw new Error(`two steps are called \`${step.name}\`; each needs a name of its own, in a loop too`);
  performance.names.add(step.name);
  return step;
}

/** The expected result of an act is judged, and judged again, like the `expect` of a step in a file. */
function stepCheck({ name, expect }: Step, line: number): CheckRecord {
  return {
    id: stepCheckId(name),
    line,
    kind: 'exchange',
    source: `exchange ${name}`,
    query: { exchange: name },
    mode: 'quiet',
    expect,
    absence: false,
  };
}

/** The connection that a step opens, or acts on. */
export function lineOf({ kind, name, spec }: Pick<Step, 'kind' | 'name' | 'spec'>): string | undefined {
  const { continues, opens } = stepKind(kind);
  return continues ? continues(spec) : opens?.(spec) ? name : undefined;
}

function whyNot(
  clean: <Value>(value: Value) => Value,
  { expect }: Step,
  { because = 'it failed', evidence }: StepOutcome,
): string {
  const { error } = (evidence ?? {}) as { error?: { message?: string } };
  if (expect === undefined || error !== undefined) return error?.message ?? because;
  const { held, expected, observed } = holdExchange({ expect }, clean(evidence));
  return held ? because : `expected ${expected}, observed ${observed}`;
}

/** Another step on the connection; the first one makes the whole connection observable. */
function openLine(performance: FlowPerformance, line: string, step: string): void {
  const { attempt, lines } = performance;
  const steps = lines.get(line) ?? [];
  steps.push(step);
  lines.set(line, steps);
  if (steps.length > 1) return;
  const whole = `${line}-so-far`;
  attempt.stillOpen.add(whole);
  attempt.acts.set(whole, {
    done: Promise.resolve(),
    evidence: () => soFar(performance, line),
    sentBytes: () => 0,
  });
}

function soFar({ attempt, lines }: FlowPerformance, line: string): ActEvidence {
  const steps = lines.get(line) ?? [];
  const all = steps.map((step): ActEvidence => attempt.acts.get(step)?.evidence() ?? {});
  return all.reduce(joined, {});
}

/** Texts and lists are appended, byte counts add up, everything else is the latest value. */
export function joined(before: ActEvidence, next: ActEvidence): ActEvidence {
  const { error: _error, json: _json, durationMs: _durationMs, ...now } = next;
  const entries = Object.entries(now).map(([key, value]) => [key, goneOn(key, before[key], value)]);
  return { ...before, ...Object.fromEntries(entries) };
}

const growing = new Set(['received', 'raw', 'stdout', 'stderr', 'bytesSent', 'bytesReceived']);

function goneOn(key: string, before: unknown, next: unknown): unknown {
  if (!growing.has(key) || before === undefined) return next;
  if (Array.isArray(before) && Array.isArray(next)) return [...before, ...next];
  if (typeof before === 'string' && typeof next === 'string') return before + next;
  return typeof before === 'number' && typeof next === 'number' ? before + next : next;
}
