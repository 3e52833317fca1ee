/** `shakedown report`: prints a stored run without judging it; with `--flakes`, statistics of all stored runs. */
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { systemFolder } from '../../campaigns/session/open-system.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { badUsage } from '../../kernel/problem.ts';
import { formatFlakes } from '../../report/terminal/format-flakes.ts';
import { print } from '../call/print.ts';
import type { Call, Verb } from '../call/verb.ts';
import { printStoredRun } from '../run/print-stored-run.ts';

export const report: Verb = {
  summary: 'print a stored run again, or the statistics of all stored runs',
  usage: '[RUN] | --flakes',
  positionals: 1,
  options: {
    flakes: { help: 'trials that both pass and fail, from all stored runs' },
  },
  run: async (call) => (call.options.flakes === true ? formatLedger(call) : formatAgain(call)),
};

async function formatAgain(call: Call): Promise<ExitCode> {
  const folder = await findRun(call, call.positionals[0] ?? 'latest');
  const verdict = await checkedVerdict(folder);
  await printStoredRun(call, folder, verdict);
  return verdict.exitCode;
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
