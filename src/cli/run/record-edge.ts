/** `record --edge` and `record --trial`: prints the calls on an edge as a script, or a whole attempt as a trial. */
import { readAttempt } from '../../campaigns/run/read-attempt.ts';
import { type RunPlan, readRunPlan } from '../../campaigns/run/run-plan.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { edgeName, edgeOf } from '../../kernel/edge-name.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage, type Problem } from '../../kernel/problem.ts';
import { linesOfCalls } from '../../report/recording/lines-of-calls.ts';
import {
  type RecordedAttempt,
  type RecordedSystem,
  type RecordingSource,
  recordedAttempt,
  recordingHead,
} from '../../report/recording/recorded-attempt.ts';
import { trialOfAttempt } from '../../report/recording/trial-of-attempt.ts';
import type { System } from '../../system/system.ts';
import { print } from '../call/print.ts';
import { type Call, optionText } from '../call/verb.ts';

export async function recordEdge(call: Call, written: string): Promise<ExitCode> {
  const { attempts, system, source } = await readStored(call, '--edge');
  const edge = edgeName(written);
  const [attempt] = attempts;
  const recording = linesOfCalls(attempt, edge, system);
  if (!recording) throw nothingCrossed(edge, source.trial, attempt);
  const { script, checks, notes, calls } = recording;
  print(call, { ...source, edge, ...recording }, () => [
    recordingHead(`${calls === 1 ? 'one call' : `${calls} calls`} on ${edge}`, source),
    ...notes.map((note) => `# ${note}`),
    script,
    '',
    checks,
  ]);
  return exitCodes.held;
}

export async function recordTrial(call: Call): Promise<ExitCode> {
  const { attempts, system, source } = await readStored(call, '--trial');
  const recorded = trialOfAttempt(attempts, system, source);
  if (!recorded) throw nothingAsked(source.trial);
  print(call, { ...source, ...recorded }, () => [recorded.text.trimEnd()]);
  return exitCodes.held;
}

interface Stored {
  readonly attempts: readonly [RecordedAttempt, ...RecordedAttempt[]];
  readonly system: RecordedSystem;
  readonly source: RecordingSource;
}

async function readStored(call: Call, option: string): Promise<Stored> {
  const folder = await findRun(call, optionText(call, 'from') ?? 'latest');
  const plan = readRunPlan(folder);
  const trial = trialOf(plan, call.positionals[0], option);
  const { run, tool, startedAt, revision } = plan;
  return {
    attempts: await readAttempts(folder, plan, trial),
    system: recordedSystem(plan.system),
    source: { trial, run, tool, startedAt, revision },
  };
}

/** Enough to find the values that differ. */
const mostAttempts = 5;

/** The first attempt; and the further ones, with its uid in place of their own. */
async function readAttempts(folder: string, plan: RunPlan, trial: string): Promise<Stored['attempts']> {
  const often = plan.rounds * (plan.trials.find(({ id }) => id === trial)?.attempts ?? 1);
  const read = async (number: number): Promise<RecordedAttempt> =>
    recordedAttempt((await readAttempt(folder, plan, trial, number)).events);
  const first = await read(1);
  const others: RecordedAttempt[] = [];
  for (let number = 2; number <= Math.min(often, mostAttempts); number += 1) {
    const other = await read(number).catch(() => undefined); // an attempt that was cut short says no more
    if (other === undefined) break;
    others.push(
      parseExactJson(JSON.stringify(other).replaceAll(other.uid || '\0', first.uid)) as RecordedAttempt,
    );
  }
  return [first, ...others];
}

function recordedSystem({ name, resources, services, secrets }: System): RecordedSystem {
  const named = (kind: string): readonly string[] =>
    resources.filter((resource) => resource.kind === kind).map((resource) => resource.name);
  return {
    name,
    models: named('model'),
    peers: resources.flatMap((resource) =>
      'callbacks' in resource ? [{ name: resource.name, callbacks: resource.callbacks }] : [],
    ),
    receivers: named('telemetry'),
    secrets,
    stdio: Object.fromEntries(
      services.flatMap(({ name: from, shims = {}, stdioTools = [] }) =>
        stdioTools.flatMap((to) => (shims[to] === undefined ? [] : [[`${from} -> ${to}`, shims[to]]])),
      ),
    ),
  };
}

function trialOf({ trials }: RunPlan, word: string | undefined, option: string): string {
  const ids = trials.map(({ id }) => id);
  const found = word === undefined ? (ids.length === 1 ? ids[0] : undefined) : ids.find((id) => id === word);
  if (found !== undefined) return found;
  const next = `name the trial: shakedown record TRIAL ${option} …`;
  throw badUsage(
    `shakedown record ${option}`,
    word === undefined ? `the run has ${ids.length} trials` : `the run has no trial ${JSON.stringify(word)}`,
    ids.slice(0, 20).join(', '),
    word === undefined ? next : didYouMean(word, ids, next),
  );
}

function nothingCrossed(edge: string, trial: string, { calls }: RecordedAttempt): Problem {
  const edges = [...new Set(calls.map(edgeOf))];
  return badUsage(
    'shakedown record --edge',
    `no call crossed \`${edge}\` in ${trial}`,
    edges.join(', ') || 'no call crossed any edge',
    didYouMean(edge, edges, 'name one of these'),
  );
}

function nothingAsked(trial: string): Problem {
  return badUsage(
    'shakedown record --trial',
    `no HTTP request came from outside in ${trial}`,
    'a trial whose steps, or whose command, called a service over an edge that is recorded',
    'choose another trial, or print what crossed one edge: shakedown record TRIAL --edge EDGE',
  );
}
