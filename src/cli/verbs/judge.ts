/** `shakedown judge`: judges a stored run again, offline, from its folder alone. */

import path from 'node:path';
import { acceptGolden } from '../../campaigns/run/accept-golden.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { judgeStored } from '../../campaigns/session/judge-stored.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { verboseOption } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { printStoredRun } from '../run/print-stored-run.ts';

export const judge: Verb = {
  summary: 'judge a stored run again, offline',
  usage: '[RUN] [--current] [--accept] [--verbose]',
  positionals: 1,
  options: {
    current: { help: 'judge by the checks and expectations that the trial files have now' },
    ...verboseOption,
    accept: { help: 'accept the observed outputs as the new golden outputs' },
  },
  run: async (call) => {
    const folder = await findRun(call, call.positionals[0] ?? 'latest');
    if (call.options.accept === true) {
      const files = await acceptGolden(folder);
      for (const file of files) call.terminal.out(`accepted  ${path.relative(call.cwd, file)}`);
      if (files.length === 0) call.terminal.out('no check of this run has `golden: true`');
      return exitCodes.held;
    }
    const verdict = await judgeStored(call, folder, call.options.current === true);
    await printStoredRun(call, folder, verdict);
    return verdict.exitCode;
  },
};
