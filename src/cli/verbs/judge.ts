/** `shakedown judge`: judges a stored run again, offline, from its folder alone. */

import path from 'node:path';
import { acceptGolden } from '../../campaigns/run/accept-golden.ts';
import { judgeRun } from '../../campaigns/run/judge-run.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { openSystem } from '../open-system.ts';
import { findRun } from '../run/find-run.ts';
import { tellStoredRun } from '../run/tell-stored-run.ts';
import type { Call, Verb } from '../verb.ts';

export const judge: Verb = {
  summary: 'judge a stored run again, offline',
  usage: '[RUN] [--current] [--accept]',
  words: { atMost: 1 },
  options: {
    current: { type: 'boolean', help: 'with the checks as the trial files have them now' },
    accept: { type: 'boolean', help: 'take what was seen as the golden outputs from now on' },
  },
  run: async (call) => {
    const folder = await findRun(call, call.words[0] ?? 'latest');
    if (call.options.accept === true) {
      const files = await acceptGolden(folder);
      for (const file of files) call.terminal.out(`accepted  ${path.relative(call.cwd, file)}`);
      if (files.length === 0) call.terminal.out('no check of this run has `golden: true`');
      return exitCodes.held;
    }
    const verdict = await judgeRun(
      folder,
      call.options.current === true ? await currentChecks(call) : undefined,
    );
    if (call.json) {
      call.terminal.out(JSON.stringify(verdict));
      return verdict.exitCode;
    }
    await tellStoredRun(call, folder, verdict);
    return verdict.exitCode;
  },
};

async function currentChecks(call: Call): Promise<(id: string) => readonly CheckRecord[] | undefined> {
  const trials = await loadTrials(await openSystem(call));
  // The checks of a flow are in its code; what it declared then is judged.
  const written = trials.filter(({ record }) => record.kind === 'yaml');
  const checks = new Map(written.map(({ record }) => [record.id, record.checks]));
  return (id) => checks.get(id);
}
