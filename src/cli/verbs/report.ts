/** `shakedown report`: stored runs again, and as a file to look at; shards as one, two runs compared, statistics. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { bundleName, bundleParts } from '../../campaigns/report/bundle-trial.ts';
import { compareRuns } from '../../campaigns/report/compare-runs.ts';
import { type JudgedRun, mergeShards } from '../../campaigns/report/merge-shards.ts';
import { readSource } from '../../campaigns/report/report-source.ts';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { findRun, kindOf } from '../../campaigns/session/find-run.ts';
import { systemFolder } from '../../campaigns/session/open-system.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { worldProblem } from '../../environment/processes/world-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage, problemsIn } from '../../kernel/problem.ts';
import { isRunId } from '../../kernel/unique-id.ts';
import { formatComparison } from '../../report/terminal/format-comparison.ts';
import { formatFlakes } from '../../report/terminal/format-flakes.ts';
import { verboseOption } from '../call/options.ts';
import { print } from '../call/print.ts';
import type { Call, Verb } from '../call/verb.ts';
import { openFile } from '../report/open-file.ts';
import { purposeOf, readRun } from '../report/read-runs.ts';
import { makeReportFolder } from '../report/report-folder.ts';
import { tellGithub } from '../report/tell-github.ts';
import { describeMerged, withFolders, writeMerged } from '../report/write-merged.ts';
import { failureOf, reportName, writeReportHtml } from '../report/write-report-html.ts';
import { printStoredRun, printStoredTrials } from '../run/print-stored-run.ts';

const purposes = ['flakes', 'bundle', 'merge', 'compare'] as const;

export const report: Verb = {
  summary: 'print a stored run again and draw it, merge shards, compare two runs, or list flakes',
  usage:
    '[RUN…] [--open] [--out DIR] [--merge | --compare] | [RUN] [TRIAL…] [--verbose] | [RUN] [TRIAL] --bundle | --flakes',
  positionals: 1_000,
  options: {
    ...verboseOption,
    open: { help: 'open the report in the browser' },
    out: { value: 'DIR', help: 'write into this folder; default: the run folder, or .shakedown/report' },
    merge: { help: 'the runs are all shards of one: what is missing fails; default where they are shards' },
    compare: {
      help: 'show what broke, was fixed or became slower in the second; default for two other runs',
    },
    bundle: {
      help: 'write one trial into one file that explains it elsewhere; default: the only one that failed',
    },
    flakes: { help: 'trials that both pass and fail, from all stored runs' },
  },
  run: async (call) => {
    const { options, positionals } = call;
    const [purpose, other] = purposes.filter((name) => options[name] === true);
    if (other !== undefined) throw oneOf(purpose, other);
    if (purpose === 'flakes') return formatLedger(call);
    if (purpose === 'bundle') return bundle(call);
    if (purpose === undefined && positionals.length < 2) return reportOne(call);
    if (purpose === undefined && !positionals.slice(1).some((word) => namesRun(call, word)))
      return someTrials(call);
    const runs = await Promise.all(positionals.map((word) => readRun(call, word)));
    if (purposeOf(call, runs) === 'merge') return merge(call, runs);
    return compare(call, runs);
  },
};

async function reportOne(call: Call): Promise<ExitCode> {
  const folder = await findRun(call, call.positionals[0] ?? 'latest');
  const verdict = await checkedVerdict(folder);
  // Other kinds of runs have no evidence of trials.
  if (kindOf(folder) !== 'run') {
    await printStoredRun(call, folder, verdict);
    return verdict.exitCode;
  }
  const out = call.options.out === undefined ? folder : await makeReportFolder(call);
  const file = path.join(out, reportName);
  const failure = await failureOf(async () =>
    writeReportHtml(file, { sources: [readSource(folder, call.cwd)], verdict }),
  );
  await printStoredRun(call, folder, verdict, { page: pageOf(call, file, failure) });
  await tellGithub(call, () => verdict);
  return ended(call, verdict.exitCode, file, failure);
}

function namesRun({ cwd }: Call, word: string): boolean {
  return word === 'latest' || isRunId(word) || existsSync(path.resolve(cwd, word, 'plan.json'));
}

async function someTrials(call: Call): Promise<ExitCode> {
  const [word = 'latest', ...names] = call.positionals;
  const folder = await findRun(call, word);
  const verdict = await checkedVerdict(folder);
  await printStoredTrials(call, folder, trialsNamed(names, verdict));
  return verdict.exitCode;
}

async function merge(call: Call, runs: readonly JudgedRun[]): Promise<ExitCode> {
  const merged = mergeShards(runs);
  const folder = await makeReportFolder(call);
  const file = path.join(folder, reportName);
  const failure = await writeMerged(folder, merged);
  const verdict = withFolders(merged.verdict, merged.sourceOf, call.json ? folder : call.cwd);
  await printStoredRun(call, call.cwd, verdict, { runFolder: '', page: pageOf(call, file, failure) });
  if (!call.json) call.terminal.out(describeMerged(call, merged, folder).join('\n'));
  await tellGithub(call, () => verdict);
  return ended(call, verdict.exitCode, file, failure);
}

/** What newly failed is what the caller wants to know of. */
async function compare(call: Call, runs: readonly JudgedRun[]): Promise<ExitCode> {
  const [before, after] = runs as readonly [JudgedRun, JudgedRun];
  const comparison = compareRuns(before, after);
  print(call, comparison, (terminal) => formatComparison(comparison, terminal));
  return comparison.newFailures.length > 0 ? exitCodes.failed : exitCodes.held;
}

async function bundle(call: Call): Promise<ExitCode> {
  const [word = 'latest', trial, ...more] = call.positionals;
  if (more.length > 0)
    throw badUsage(
      'shakedown report --bundle',
      `unexpected argument ${JSON.stringify(more[0])}`,
      'shakedown report [RUN] [TRIAL] --bundle',
      'name one run and one trial',
    );
  const run = await readRun(call, word);
  const { trial: id, ...parts } = bundleParts(run, trial);
  const file = path.join(await makeReportFolder(call), bundleName(run, id));
  await writeReportHtml(file, parts);
  print(call, { trial: id, run: run.plan.run, file }, () => [`written   ${path.relative(call.cwd, file)}`]);
  return ended(call, exitCodes.held, file, undefined);
}

function pageOf({ cwd }: Call, file: string, failure: unknown): string | undefined {
  return failure === undefined ? path.relative(cwd, file) : undefined;
}

/** Without the page, everything else is there nevertheless. */
async function ended(call: Call, exitCode: ExitCode, file: string, failure: unknown): Promise<ExitCode> {
  const isOpen = call.options.open === true && failure === undefined;
  const error = isOpen ? await failureOf(() => openFile(call, file)) : failure;
  if (error === undefined) return exitCode;
  const problems = problemsIn(worldProblem(error, file));
  call.warn(formatProblems(problems, call.terminal));
  return worstExitCode([exitCode, ...problems.map((problem) => problem.exitCode)]);
}

function oneOf(purpose: string | undefined, other: string): Error {
  return badUsage(
    `shakedown report --${purpose} --${other}`,
    `--${purpose} and --${other} are different questions`,
    purposes.map((name) => `--${name}`).join(', '),
    'leave out one of the two',
  );
}

/** By an id, that of all its cases, or the beginning of several. */
function trialsNamed(names: readonly string[], { trials, run }: RunVerdict): readonly TrialVerdict[] {
  const isMeant = (id: string, name: string): boolean =>
    id === name || id.startsWith(`${name}[`) || id.startsWith(`${name}/`);
  for (const name of names) {
    if (trials.some(({ id }) => isMeant(id, name))) continue;
    const ids = trials.map(({ id }) => id);
    throw badUsage(
      `shakedown report ${run}`,
      `no trial ${JSON.stringify(name)} is in this run`,
      ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, … and ${ids.length - 5} more` : ids.join(', '),
      didYouMean(name, ids, `shakedown report ${run}`),
    );
  }
  return trials.filter(({ id }) => names.some((name) => isMeant(id, name)));
}

/** Advice only: findings do not affect the exit code. */
async function formatLedger(call: Call): Promise<ExitCode> {
  const [word] = call.positionals;
  if (word !== undefined)
    throw badUsage(
      'shakedown report --flakes',
      `--flakes covers all stored runs, but ${JSON.stringify(word)} names one`,
      'a run, or --flakes',
      `leave out one of the two: \`shakedown report ${word}\`, or \`shakedown report --flakes\``,
    );
  const ledger = flakeLedger(readStoredRuns(await systemFolder(call)));
  print(call, ledger, (terminal) => formatFlakes(ledger, terminal));
  return exitCodes.held;
}
