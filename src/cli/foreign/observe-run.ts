/** `shakedown run --observe -- COMMAND`: boots the system, runs the team's own tests inside of it, and reports what was seen. */
import path from 'node:path';
import { judgeObservation } from '../../campaigns/observe/judge-observation.ts';
import { type Observed, observeCommand } from '../../campaigns/observe/observe-command.ts';
import { bootStage, type LiveStage } from '../../campaigns/run/live-stage.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import type { Observation } from '../../journal/observation.ts';
import { writeFindings } from '../../journal/write-redacted.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { problemToData } from '../../kernel/problem.ts';
import { tellObservation } from '../../report/terminal/tell-observation.ts';
import type { Interrupts } from '../interrupts.ts';
import { writeReports } from '../run/write-reports.ts';
import type { Call } from '../verb.ts';
import { readForeignOptions, refuseLackOfCommand, refuseTrialOptions } from './foreign-options.ts';
import { type ForeignRun, openForeignRun } from './open-foreign-run.ts';

const usage = 'run --observe';

export async function observeRun(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  refuseLackOfCommand(call, usage);
  refuseTrialOptions(call, usage, [
    'seed',
    'variant',
    'containment',
    'model',
    'peers',
    'resource',
    'recording',
  ]);
  const options = readForeignOptions(call, usage);
  const run = await openForeignRun(call, interrupts, { usage, isLatest: true });
  const live = await bootStage(run.stage, 1);
  const { signal } = run.endings;
  const observed = await observeCommand({
    ...options,
    stage: live.stage,
    run: run.run,
    seed: run.seed,
    words: call.command,
    cwd: call.cwd,
    env: call.env,
    runFolder: run.folder,
    folder: run.folder,
    // Standard output holds one JSON document then, and nothing else.
    show: { out: call.json ? process.stderr : process.stdout, err: process.stderr },
    signal,
  }).catch(async (error: unknown) => {
    await live.end('the command could not be observed');
    throw error;
  });
  return conclude(call, run, observed, live);
}

async function conclude(call: Call, run: ForeignRun, observed: Observed, live: LiveStage): Promise<ExitCode> {
  const { leaks, problems } = await live.end('the command has ended');
  run.endings.stopListening();
  const { seen, left, cost } = observed;
  const observation: Observation = { ...seen, leaks: [...left, ...leaks] };
  const interruptedBy = run.endings.interruptedBy();
  const stoppedAt = call.clock.now();
  const verdict = judgeObservation({
    observation,
    tool: run.tool,
    seed: run.seed,
    revision: run.revision,
    configHash: run.system.configHash,
    configFile: path.basename(run.system.file),
    repro: run.again,
    cost,
    problems: problems.map(problemToData),
    ...(interruptedBy === undefined ? {} : { interruptedBy }),
    durationMs: stoppedAt - run.startedAt,
  });
  writeFindings(path.join(run.folder, 'observe.json'), observation, run.redactor);
  await writeReports(run.folder, verdict, { startedAt: run.startedAt, stoppedAt }, run.redactor);
  print(call, run, observation, verdict);
  return verdict.exitCode;
}

function print(call: Call, { shown }: ForeignRun, observation: Observation, verdict: RunVerdict): void {
  if (call.json) {
    call.terminal.out(JSON.stringify({ ...verdict, observed: observation }));
    return;
  }
  const { columns, paint, hint } = call.terminal;
  call.terminal.out(
    ['', ...tellObservation(observation, verdict, { columns, paint, hint, runFolder: shown })].join('\n'),
  );
}
