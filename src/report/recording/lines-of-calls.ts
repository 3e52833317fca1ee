/** Turns the traffic of an edge in a stored attempt into script lines, and into checks that detect a change. Pure. */
import { edgeOf } from '../../kernel/edge-name.ts';
import { modelLines } from './model-lines.ts';
import { peerLines } from './peer-lines.ts';
import { printYaml } from './print-yaml.ts';
import { isLate, type RecordedAttempt, type RecordedSystem } from './recorded-attempt.ts';
import { stepLines } from './step-lines.ts';
import { edgeChecks } from './suggested-checks.ts';
import { countedLines, type WritingContext } from './written-value.ts';

/** `edge` is `shop -> bank`. Undefined when nothing crossed it. */
export function linesOfCalls(attempt: RecordedAttempt, edge: string, system: RecordedSystem) {
  const { uid, calls } = attempt;
  const crossed = calls.filter((call) => edgeOf(call) === edge);
  const [first] = crossed;
  if (!first) return undefined;
  const context: WritingContext = { uid, secrets: system.secrets, known: new Map() };
  const { script, notes } = scriptOf(crossed, first, system, context);
  return {
    /** `model`, `peers` or, for calls from outside or over stdio, `steps`; as YAML. */
    script: printYaml(script),
    /** `checks`, as YAML. */
    checks: printYaml({
      checks: edgeChecks({ edge, attempts: [crossed], isLate: isLate(attempt, edge) }, context),
    }),
    /** Notes for the user. */
    notes,
    calls: crossed.length,
  };
}

function scriptOf(
  crossed: RecordedAttempt['calls'],
  { from, to }: RecordedAttempt['calls'][number],
  system: RecordedSystem,
  context: WritingContext,
) {
  const program = system.stdio[`${from} -> ${to}`];
  if (program !== undefined) {
    const { steps, notes } = stepLines(crossed, context, () => ({ stdio: [program] }));
    return { script: { steps: steps.map(({ step }) => step) }, notes: [...notes, ownProgram(from, to)] };
  }
  if (from === 'outside') {
    const { steps, notes } = stepLines(crossed, context);
    return { script: { steps: steps.map(({ step }) => step) }, notes };
  }
  if (crossed.some(({ turn }) => turn !== undefined)) {
    const caller = modelCaller({ from, to }, system);
    const { lines, notes } = modelLines(crossed, context);
    return { script: { model: { [caller]: lines } }, notes };
  }
  const lines = countedLines(peerLines(crossed, context).map(({ line }) => line));
  return { script: { peers: { [to]: lines } }, notes: [] };
}

/** If the system has several models, the key names both ends. */
export function modelCaller(
  { from, to }: { readonly from: string; readonly to: string },
  { models }: RecordedSystem,
): string {
  return models.length > 1 && models.includes(to) ? `${from} -> ${to}` : from;
}

function ownProgram(from: string, to: string): string {
  return `${from} starts ${to} itself and talks to it over stdio, so it cannot be replaced by a script; these steps make the same calls`;
}
