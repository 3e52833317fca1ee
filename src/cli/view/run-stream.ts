/** `run --json --stream`: a line when the run begins and one after each attempt, for programs that show a run. */
import path from 'node:path';
import type { RunStart, ShownAttempt } from '../../campaigns/session/perform-run.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import type { Call } from '../call/verb.ts';

export function openRunStream({ terminal, json, cwd, options }: Call, { plan, runFolder }: RunStart) {
  if (!json || options.stream !== true) return undefined;
  const print = (line: object): void => terminal.out(JSON.stringify(line));
  const often = new Map(plan.trials.map(({ id, attempts }) => [id, attempts * plan.rounds]));
  print({ type: 'run', run: plan.run, seed: plan.seed, runFolder: path.resolve(cwd, runFolder) });
  return {
    ended: (trial: string, { verdict, events, twins }: ShownAttempt): void =>
      print({
        type: 'attempt',
        trial,
        // What else the final verdict depends on: further attempts, and trials that must pass, too.
        isFinal: often.get(trial) === 1 && twins.length === 0,
        text: formatTrial(verdict, events, { runFolder }).join('\n'),
        verdict,
      }),
  };
}
