/** `shakedown run`: runs trials on environments of its own, judges them, and stores the evidence. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { entriesFor } from '../../campaigns/run/quarantine-of-run.ts';
import { readRunVerdict } from '../../campaigns/run/read-run-verdict.ts';
import type { RunPlan } from '../../campaigns/run/run-plan.ts';
import { type Interrupts, withInterrupts } from '../../campaigns/session/interrupts.ts';
import { performRun, type RunStart, type RunView } from '../../campaigns/session/perform-run.ts';
import { planSuite } from '../../campaigns/session/plan-suite.ts';
import { watchAndRun } from '../../campaigns/session/watch-and-run.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { formatKnownFlakes } from '../../report/terminal/format-flakes.ts';
import { formatRun } from '../../report/terminal/format-run.ts';
import { againCommand } from '../call/again-command.ts';
import { environmentOptions, isVerbose } from '../call/options.ts';
import { print } from '../call/print.ts';
import type { Call, Verb } from '../call/verb.ts';
import { tellGithub } from '../report/tell-github.ts';
import { reportName } from '../report/write-report-html.ts';
import { reportsWithPage, writeReports } from '../report/write-reports.ts';
import {
  readCommandRequest,
  refuseForeign,
  refuseLackOfCommand,
  refuseTrialOptions,
} from '../run/foreign-options.ts';
import { readSuiteRequest, runOptions } from '../run/run-options.ts';
import { openRunStream } from '../run/run-stream.ts';
import { openRunView } from '../view/run-view.ts';

export const run: Verb = {
  summary: 'run trials and judge them',
  usage:
    '[TRIAL or PATH…] [--tag TAG,…] [--gate NAME] [--last-failed] [--list] | --observe -- COMMAND [WORD…]',
  positionals: Number.POSITIVE_INFINITY,
  takesCommand: true,
  options: runOptions,
  run: (call) =>
    withInterrupts(async (interrupts) => {
      if (call.options.observe === true) return observe(call, interrupts);
      refuseForeign(call, 'run --observe', false);
      if (call.options.watch !== true) return performSelection(call, interrupts);
      return watchAndRun(
        call,
        interrupts,
        () => performSelection(call, interrupts).catch((error: unknown) => printError(call, error)),
        (text) => call.terminal.out(call.terminal.paint('dim', text)),
      );
    }),
};

async function performSelection(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  const planned = await planSuite(call, readSuiteRequest(call));
  if (call.options.list === true) {
    listTrials(call, planned.plan);
    return exitCodes.held;
  }
  const stream = openRunStream(call);
  const openView = (start: RunStart): RunView => {
    const view = openRunView(call, start);
    return stream?.withLines(view, start) ?? view;
  };
  const end = await performRun(call, planned, interrupts, {
    openView,
    writeReports: reportsWithPage(call),
  });
  await stream?.judged(end.verdict, end.problems);
  printEnd(call, end, planned.plan.system.folder);
  await tellGithub(call, () => readRunVerdict(path.resolve(call.cwd, end.runFolder)));
  return end.verdict.exitCode;
}

function printEnd(
  call: Call,
  { verdict, problems, runFolder }: Awaited<ReturnType<typeof performRun>>,
  systemFolder: string,
): void {
  if (problems.length > 0) call.say(`${formatProblems(problems, call.terminal)}\n`);
  print(call, verdict, (terminal) => {
    const verb = call.options.recording === undefined ? 'run' : 'record';
    const page = path.join(runFolder, reportName);
    const again = againCommand(call, verb, verdict.seed);
    const hasPage = existsSync(path.resolve(call.cwd, page));
    const options = { ...terminal, runFolder, again, verbose: isVerbose(call), ...(hasPage ? { page } : {}) };
    const failed = verdict.trials.some((trial) => trial.verdict === 'failed' || trial.verdict === 'unstable');
    const known = failed ? formatKnownFlakes(verdict, flakeLedger(readStoredRuns(systemFolder))) : [];
    return ['', ...formatRun(verdict, options, known)];
  });
}

async function observe(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  const usage = 'run --observe';
  refuseLackOfCommand(call, usage);
  refuseTrialOptions(call, usage, [
    ...Object.keys(environmentOptions),
    'model',
    'peers',
    'resource',
    'recording',
  ]);
  const request = readCommandRequest(call, usage);
  const { observeRun } = await import('../../campaigns/observe/observe-run.ts'); // not needed for trials
  const { formatObservation } = await import('../../report/terminal/format-observation.ts');
  const { observation, verdict, runFolder } = await observeRun(call, request, interrupts, { writeReports });
  print(call, { ...verdict, observed: observation }, (terminal) => [
    '',
    ...formatObservation(observation, verdict, { ...terminal, runFolder }),
  ]);
  return verdict.exitCode;
}

function printError(call: Call, error: unknown): ExitCode {
  const problems = problemsIn(error);
  call.warn(formatProblems(problems, call.terminal));
  return problems[0]?.exitCode ?? exitCodes.bug;
}

/** `--list`: which trials would run, and why each would or would not. */
function listTrials(call: Call, plan: RunPlan): void {
  const { trials, declared } = plan;
  if (call.json) {
    const shown = trials.map(({ checks, ...trial }) => ({
      ...trial,
      checks: checks.map(({ id }) => id),
      twins: [...new Set(checks.flatMap(({ provenBy }) => provenBy ?? []))],
    }));
    call.terminal.out(JSON.stringify({ declared, selected: trials.length, trials: shown }));
    return;
  }
  const width = Math.min(60, Math.max(...trials.map(({ id }) => id.length)));
  for (const trial of trials) {
    const { id, title, tags, isolation, skipReason, asTwin, regression, generated } = trial;
    const notes = [
      isolation,
      ...(regression?.shownRedOn === null ? ['a regression trial not shown red'] : []),
      ...(generated ? ['generated'] : []),
      ...entriesFor(plan, id).map(({ until, owner }) => `in quarantine until ${until} (${owner})`),
      ...(tags.length > 0 ? [tags.join(' ')] : []),
      ...(asTwin ? ['included as a twin'] : []),
      ...(skipReason === undefined ? [] : [`skipped: ${skipReason}`]),
    ];
    call.terminal.out(`${id.padEnd(width)}  ${title ?? ''}`.trimEnd());
    const below = `${' '.repeat(width)}  ${notes.join(', ')}  ${trial.file}:${trial.line}`;
    call.terminal.out(call.terminal.paint('dim', below));
  }
  call.terminal.out(`\n${trials.length} of ${declared} trials`);
}
