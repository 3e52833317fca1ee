/** `shakedown sabotage --live -- COMMAND`: runs the team's own tests healthy, then under each lie, and names those that believe it. */
import path from 'node:path';
import { bootStage } from '../../campaigns/run/live-stage.ts';
import { createStageHolder } from '../../campaigns/run/stage-holder.ts';
import {
  acceptFindings,
  type Baseline,
  dropStale,
  holdAgainstBaseline,
} from '../../campaigns/sabotage/baseline.ts';
import { readBaseline, writeBaseline } from '../../campaigns/sabotage/baseline-file.ts';
import type { ForeignSabotage } from '../../campaigns/sabotage/foreign/foreign-sabotage.ts';
import { type ForeignResult, sabotageForeign } from '../../campaigns/sabotage/foreign/sabotage-foreign.ts';
import { writeFindings } from '../../journal/write-redacted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { type Problem, problemToData } from '../../kernel/problem.ts';
import { type Interrupts, interruptExitCode, listenForInterrupts } from '../interrupts.ts';
import { tellProblems } from '../tell-problems.ts';
import { type Call, optionText } from '../verb.ts';
import { readForeignOptions, refuseTrialOptions } from './foreign-options.ts';
import { type ForeignRun, openForeignRun } from './open-foreign-run.ts';
import { tellForeign, tellLiedRun } from './tell-foreign.ts';

const usage = 'sabotage --live';

export async function sabotageForeignRun(call: Call): Promise<ExitCode> {
  refuseTrialOptions(call, usage, ['accept', 'prune', 'containment']);
  const interrupts = listenForInterrupts();
  try {
    return await sabotageUnder(call, interrupts);
  } finally {
    interrupts.stopListening();
  }
}

async function sabotageUnder(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  const command = readForeignOptions(call, usage);
  const run = await openForeignRun(call, interrupts, { usage, isLatest: false });
  // A baseline that cannot be read is told before anything boots.
  const baseline = await readBaseline(run.system.folder);
  const say = (text: string): void => {
    if (!call.json) call.terminal.err(text);
  };
  let opened = 0;
  const holder = createStageHolder({
    open: async () => {
      opened += 1;
      return bootStage(run.stage, opened);
    },
    repair: 'fresh',
    signal: run.endings.signal,
    onLost: (problem) => say(`the environment could not be renewed and is replaced: ${problem?.message}`),
  });
  const result = await sabotageForeign({
    command: {
      ...command,
      run: run.run,
      seed: run.seed,
      words: call.command,
      cwd: call.cwd,
      env: call.env,
      runFolder: run.folder,
      signal: run.endings.signal,
    },
    system: run.system,
    holder,
    isolation: run.system.isolation === 'fresh' ? 'fresh' : 'restart',
    clock: call.clock,
    show: { out: call.json ? process.stderr : process.stdout, err: process.stderr },
    onHealthy: ({ seen }, lies) =>
      say(`\nhealthy after ${formatDuration(seen.command.durationMs)}; ${lies} lies to tell`),
    onLied: (lied) => say(tellLiedRun(lied)),
  }).catch(async (error: unknown) => {
    await holder.end();
    throw error;
  });
  const end = await holder.end();
  run.endings.stopListening();
  // What a lie broke is no fault of the system's; that it did not come up again afterwards is told.
  const problems = [...result.problems, ...end.problems.filter(({ family }) => family !== 'system')];
  return conclude(call, run, baseline, result, { leaks: [...result.left, ...end.leaks], problems });
}

interface Ended {
  readonly leaks: readonly string[];
  readonly problems: readonly Problem[];
}

async function conclude(
  call: Call,
  run: ForeignRun,
  read: Baseline,
  { sabotage, healthy }: ForeignResult,
  { leaks, problems }: Ended,
): Promise<ExitCode> {
  const interruptedBy = run.endings.interruptedBy();
  const isJudged = judgedBy(sabotage);
  const baseline = interruptedBy === undefined ? changedBaseline(call, read, sabotage) : read;
  if (baseline !== read) await writeBaseline(baseline);
  const held = holdAgainstBaseline(baseline, 'foreign', sabotage.findings, isJudged);
  writeFindings(path.join(run.folder, 'sabotage.json'), sabotage, run.redactor);
  const isHonest = held.open.length === 0 && held.stale.length === 0 && sabotage.mutants > 0;
  const exitCode =
    interruptedBy === undefined
      ? worstExitCode([
          isHonest ? exitCodes.held : exitCodes.dishonest,
          ...problems.map((problem) => problem.exitCode),
          ...(leaks.length > 0 ? [exitCodes.leftBehind] : []),
        ])
      : interruptExitCode(interruptedBy);
  if (call.json) {
    const { open, accepted, stale } = held;
    const errors = problems.map(problemToData);
    const rest = { findings: open, baseline: { accepted, stale }, leaks, errors, exitCode };
    call.terminal.out(JSON.stringify({ ...sabotage, ...rest }));
    return exitCode;
  }
  if (problems.length > 0) call.terminal.err(tellProblems(problems, call.terminal));
  const { columns, paint, hint } = call.terminal;
  const told = { sabotage, ...held, leaks, seen: healthy.seen, exitCode };
  call.terminal.out(tellForeign(told, { columns, paint, hint, runFolder: run.shown }).join('\n'));
  return exitCode;
}

function changedBaseline(call: Call, read: Baseline, { findings, ...sabotage }: ForeignSabotage): Baseline {
  const isJudged = judgedBy({ findings, ...sabotage });
  const reason = optionText(call, 'accept');
  if (reason !== undefined) return acceptFindings(read, 'foreign', findings, reason, isJudged);
  return call.options.prune === true ? dropStale(read, 'foreign', findings, isJudged) : read;
}

/** Of a lie that was not told this time, or of a test that did not run, nobody knows whether it is still believed. */
function judgedBy({
  tests,
  lies,
}: ForeignSabotage): (entry: {
  readonly service: string;
  readonly lie: string;
  readonly test: string;
}) => boolean {
  const known = new Set(tests.map(({ id }) => id));
  const told = new Set(
    lies.filter(({ outcome }) => outcome === 'judged').map(({ service, lie }) => `${service} ${lie}`),
  );
  return ({ service, lie, test }) => known.has(test) && (service === '*' || told.has(`${service} ${lie}`));
}
