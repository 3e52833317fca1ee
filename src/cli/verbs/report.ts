/** `shakedown report`: prints a stored run without judging it; with `--flakes`, statistics of all stored runs. */
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { systemFolder } from '../../campaigns/session/open-system.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import { formatFlakes } from '../../report/terminal/format-flakes.ts';
import { verboseOption } from '../call/options.ts';
import { print } from '../call/print.ts';
import type { Call, Verb } from '../call/verb.ts';
import { printStoredRun, printStoredTrials } from '../run/print-stored-run.ts';

export const report: Verb = {
  summary: 'print a stored run again, or the statistics of all stored runs',
  usage: '[RUN] [TRIAL…] [--verbose] | --flakes',
  positionals: Number.POSITIVE_INFINITY,
  options: {
    ...verboseOption,
    flakes: { help: 'trials that both pass and fail, from all stored runs' },
  },
  run: async (call) => (call.options.flakes === true ? formatLedger(call) : formatAgain(call)),
};

async function formatAgain(call: Call): Promise<ExitCode> {
  const [word = 'latest', ...names] = call.positionals;
  const folder = await findRun(call, word);
  const verdict = await checkedVerdict(folder);
  if (names.length === 0) await printStoredRun(call, folder, verdict);
  else await printStoredTrials(call, folder, trialsNamed(names, verdict));
  return verdict.exitCode;
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
