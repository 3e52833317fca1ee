/** `shakedown report`: tells a stored run again without judging it; with `--flakes`, what all stored runs say of each trial. */
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { tellFlakes } from '../../report/terminal/tell-flakes.ts';
import { systemFolder } from '../open-system.ts';
import { findRun } from '../run/find-run.ts';
import { tellStoredRun } from '../run/tell-stored-run.ts';
import type { Call, Verb } from '../verb.ts';

export const report: Verb = {
  summary: 'tell a stored run again, or what all stored runs say of each trial',
  usage: '[RUN] | --flakes',
  words: { atMost: 1 },
  options: {
    flakes: { type: 'boolean', help: 'trials that hold and fail by turns, from all stored runs' },
  },
  run: async (call) => (call.options.flakes === true ? tellLedger(call) : tellAgain(call)),
};

async function tellAgain(call: Call): Promise<ExitCode> {
  const folder = await findRun(call, call.words[0] ?? 'latest');
  const verdict = await checkedVerdict(folder);
  if (call.json) call.terminal.out(JSON.stringify(verdict));
  else await tellStoredRun(call, folder, verdict);
  return verdict.exitCode;
}

/** It is advice: whatever it finds, the verb has done what it was asked for. */
async function tellLedger(call: Call): Promise<ExitCode> {
  const [word] = call.words;
  if (word !== undefined) throw oneOfTwo(word);
  const ledger = flakeLedger(readStoredRuns(await systemFolder(call)));
  if (call.json) call.terminal.out(JSON.stringify(ledger));
  else call.terminal.out(tellFlakes(ledger, call.terminal).join('\n'));
  return exitCodes.held;
}

function oneOfTwo(word: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown report --flakes',
    what: `--flakes looks at all stored runs, and ${JSON.stringify(word)} names one`,
    allowed: 'a run, or --flakes',
    next: `leave out one of the two: \`shakedown report ${word}\`, or \`shakedown report --flakes\``,
  });
}
