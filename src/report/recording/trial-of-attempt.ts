/** Turns a stored attempt into a trial: steps from outside calls, scripts for played parties, first checks. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';
import { isModelCall } from '../../journal/is-model-call.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { isSignature } from '../../kernel/signature-header.ts';
import { withCallbacks } from './callback-lines.ts';
import { modelCaller } from './lines-of-calls.ts';
import { modelLines } from './model-lines.ts';
import { peerLines } from './peer-lines.ts';
import { printYaml } from './print-yaml.ts';
import {
  isLate,
  type RecordedAttempt,
  type RecordedSystem,
  type RecordingSource,
  recordingHead,
} from './recorded-attempt.ts';
import { stepLines } from './step-lines.ts';
import { edgeChecks, stepChecks } from './suggested-checks.ts';
import { countedLines, type WritingContext } from './written-value.ts';

/** `attempts` are of one trial: what differs between them is not checked. Undefined without a call from outside. */
export function trialOfAttempt(
  attempts: readonly [RecordedAttempt, ...RecordedAttempt[]],
  system: RecordedSystem,
  source: RecordingSource,
) {
  const [attempt] = attempts;
  const context: WritingContext = { uid: attempt.uid, secrets: system.secrets, known: new Map() };
  const asked = attempts.map((one) => stepLines(outsideCalls(one, system), context));
  const [{ steps, notes: ofSteps } = { steps: [], notes: [] }] = asked;
  if (steps.length === 0) return undefined;
  const models = modelScripts(attempt, system, context);
  const notes = [...ofSteps, ...models.flatMap(([, { notes: ofModel }]) => ofModel), ...notesOf(attempt)];
  const id = idFor(source.trial);
  const head = recordingHead(
    `${steps.length === 1 ? 'one step' : `${steps.length} steps`} and what followed`,
    source,
  );
  const document = {
    id,
    title: `What happened in ${source.trial} happens again`,
    model: Object.fromEntries(models.map(([caller, { lines }]) => [caller, lines])),
    peers: peerScripts(attempt, system, context),
    steps: steps.map(({ step }) => step),
    checks: checksOf(attempts, asked, system, context),
  };
  const text = [head, ...notes.map((note) => `# ${note}`), printYaml(withoutEmpty(document)), ''].join('\n');
  return { id, text, notes, steps: steps.length };
}

/** A call to a receiver is not a step. */
function outsideCalls({ calls }: RecordedAttempt, { receivers }: RecordedSystem): readonly CallEvent[] {
  return calls.filter(({ from, to }) => from === 'outside' && !receivers.includes(to));
}

function checksOf(
  attempts: readonly RecordedAttempt[],
  asked: readonly ReturnType<typeof stepLines>[],
  system: RecordedSystem,
  context: WritingContext,
): Readonly<Record<string, unknown>> {
  const [{ steps } = { steps: [] }] = asked;
  const alike = asked.filter((one) => one.steps.length === steps.length);
  const ofSteps = steps.map((_, at) => {
    const same = alike.flatMap((one) => one.steps[at] ?? []);
    return stepChecks(same, context);
  });
  const ofEdges = innerEdges(attempts, system).map((edge) => {
    const crossed = attempts.map((one) => onEdge(one, edge));
    const isSomeLate = attempts.some((one) => isLate(one, edge));
    return edgeChecks({ edge, attempts: crossed, isLate: isSomeLate }, context);
  });
  return Object.assign({}, ...ofSteps, ...ofEdges);
}

function innerEdges([attempt]: readonly RecordedAttempt[], { receivers }: RecordedSystem): readonly string[] {
  const calls = attempt?.calls ?? [];
  const edges = calls.filter(({ from, to }) => from !== 'outside' && !receivers.includes(to)).map(edgeOf);
  return [...new Set(edges)];
}

function onEdge({ calls }: RecordedAttempt, edge: string): readonly CallEvent[] {
  return calls.filter((call) => edgeOf(call) === edge);
}

function modelScripts(
  { calls, standing }: RecordedAttempt,
  system: RecordedSystem,
  context: WritingContext,
): readonly (readonly [string, ReturnType<typeof modelLines>])[] {
  const isStanding = (call: CallEvent): boolean => standing.some((one) => isModelCall(one, call));
  const own = calls.filter((call) => system.models.includes(call.to) && !isStanding(call));
  const byCaller = Map.groupBy(own, (call) => modelCaller(call, system));
  return [...byCaller].map(([caller, said]) => [caller, modelLines(said, context)]);
}

/** A call that a standing line answers needs no line in the trial. */
function peerScripts(
  { calls, peerCalls }: RecordedAttempt,
  { peers }: RecordedSystem,
  context: WritingContext,
): object {
  return Object.fromEntries(
    peers.flatMap((peer) => {
      const shown = peerCalls.filter(({ resource }) => resource === peer.name);
      const isStanding = ({ method, path, from }: CallEvent): boolean =>
        shown.some(
          (one) =>
            one.standing &&
            !one.callback &&
            one.method === method &&
            one.path === path &&
            one.caller === from,
        );
      const asked = calls.filter((call) => call.to === peer.name && !isStanding(call));
      const sent = calls.filter(({ from }) => from === peer.name);
      const lines = withCallbacks(peerLines(asked, context), { peer, sent, shown, context });
      return lines.length === 0 ? [] : [[peer.name, countedLines(lines)]];
    }),
  );
}

function notesOf({ otherSteps, disturbed, calls }: RecordedAttempt): readonly string[] {
  const signed = calls
    .filter(({ from }) => from !== 'outside')
    .flatMap((call) =>
      Object.keys(call.request.headers)
        .filter(isSignature)
        .map((name) => `${name} (${edgeOf(call)})`),
    );
  const names = [...new Set(signed)].slice(0, 5).join(', ');
  const unsigned = `headers between the parties are not compared, and signatures are not made again: ${names}`;
  const missing = `steps without a call are missing here: ${otherSteps.slice(0, 10).join(', ')}`;
  const felt = disturbed.slice(0, 3).join('; ');
  return [
    ...(signed.length === 0 ? [] : [unsigned]),
    ...(otherSteps.length === 0 ? [] : [missing]),
    ...(disturbed.length === 0
      ? []
      : [`edges were disturbed meanwhile (${felt}): add \`disturb\` to repeat this`]),
  ];
}

function idFor(trial: string): string {
  return `recorded/${trial
    .toLowerCase()
    .replaceAll(/\[/g, '-')
    .replaceAll(/[^a-z0-9._/-]/g, '')}`.slice(0, 120);
}

function withoutEmpty(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(document).filter(
      ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
    ),
  );
}
