/** Does one act of a flow: a step like any other, named, journalled, and freed when nobody can ask for it again. */
import { holdExchange } from '../../checks/hold-exchange.ts';
import { stepCheckId } from '../../checks/judge-steps.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { doStep, type StepOutcome } from '../perform/do-step.ts';
import type { RawMap } from '../read/placed.ts';
import type { Step } from '../trial.ts';
import { stepAsWritten } from './as-written.ts';
import type { Answer, Ask } from './flow-message.ts';
import type { FlowPerformance } from './flow-performance.ts';
import { openLine, soFar } from './open-lines.ts';

export type AskedAct = Extract<Ask, { readonly do: 'act' }>;
/** What an answer says, without the number of the ask. */
export type Reply = Answer extends infer One ? (One extends Answer ? Omit<One, 'say' | 'id'> : never) : never;

export async function doAct(performance: FlowPerformance, ask: AskedAct): Promise<Reply> {
  const { attempt } = performance;
  const step = stepOf(performance, ask);
  const outcome = await doStep(attempt, step);
  if (ask.settings.expect !== undefined)
    attempt.journal.emit({ type: 'check.declared', check: stepCheck(step, ask.line) });
  const line = lineOf(step);
  if (line !== undefined) openLine(performance, line, step.name);
  attempt.knowledge.learn(step.name, undefined);
  if (line === undefined) attempt.acts.delete(step.name);
  if (!outcome.done) return { fault: `step ${step.name}: ${whyNot(attempt.knowledge.clean, step, outcome)}` };
  const { evidence: value } = outcome;
  if (line === undefined) return { value, origin: { step: step.name } };
  return { value, connection: line, soFar: soFar(performance, line) };
}

/** An error is part of what every result may hold then. */
const resultOrError = { $any: [{ error: { $present: true } }, { $present: true }] };

function stepOf(performance: FlowPerformance, { kind, spec, settings, line }: AskedAct): Step {
  const position = performance.nextStep();
  const stays = kind === 'tcp' || (kind === 'command' && spec.stays === true);
  const as = settings.as ?? (stays ? `${kind}-${position}` : undefined);
  const raw: RawMap = {
    ...spec,
    ...(as === undefined ? {} : { as }),
    ...(settings.within === undefined ? {} : { timeout: settings.within }),
    ...(settings.expect === undefined
      ? settings.mayFail
        ? { expect: resultOrError }
        : {}
      : { expect: settings.expect }),
  };
  const step = stepAsWritten(raw, position, performance.place(line), performance.known);
  if (performance.names.has(step.name))
    throw new Error(`two steps are called \`${step.name}\`; each needs a name of its own, in a loop too`);
  performance.names.add(step.name);
  return step;
}

/** What an act is expected to give is judged, and judged again, like the `expect` of a step in a file. */
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
function lineOf({ kind, name, spec }: Step): string | undefined {
  if (kind === 'on') return String(spec.on);
  return kind === 'tcp' || (kind === 'command' && spec.stays === true) ? name : undefined;
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
