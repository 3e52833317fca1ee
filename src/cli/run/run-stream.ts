/** `run --json --stream`: a run for programs that show it: a line when it begins, one for each trial, and problems. */
import { fstatSync } from 'node:fs';
import path from 'node:path';
import type { RunStart, RunView } from '../../campaigns/session/perform-run.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import type { Problem, ProblemData } from '../../kernel/problem.ts';
import { trialOutcome } from '../../report/ci/trial-outcome.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import { badOption, isVerbose } from '../call/options.ts';
import type { Call } from '../call/verb.ts';
import { eventsOf } from './print-stored-run.ts';

export function openRunStream(call: Call) {
  if (call.options.stream !== true) return undefined;
  if (!call.json) {
    const next = 'add `--json`, or leave `--stream` out: text is shown as it comes anyway';
    throw badOption(call, 'stream', 'it applies to JSON only', '`--json --stream`', next);
  }
  interruptWithInput();
  const often = new Map<string, number>();
  const printed = new Set<string>();
  let folder = '';
  let shown = '';
  const print = (line: object): void => call.terminal.out(JSON.stringify(line));
  const printTrial = (trial: string, verdict: TrialVerdict, events: readonly AttemptEvent[]): void => {
    printed.add(trial);
    const options = { hint: call.terminal.hint, runFolder: shown, verbose: isVerbose(call) };
    const text = formatTrial(verdict, events, options).join('\n');
    print({ type: 'trial', trial, outcome: trialOutcome(verdict), text, verdict });
  };
  return {
    withLines: (view: RunView, { plan, runFolder }: RunStart): RunView => {
      for (const { id, attempts } of plan.trials) often.set(id, attempts * plan.rounds);
      shown = runFolder;
      folder = path.resolve(call.cwd, runFolder);
      print({ type: 'run', run: plan.run, seed: plan.seed, runFolder: folder });
      return {
        ...view,
        // Further attempts, and trials that must pass, too, decide at the end.
        ended: (trial, { verdict, events, twins }) => {
          if (often.get(trial) === 1 && twins.length === 0) printTrial(trial, verdict, events);
        },
      };
    },
    judged: async (verdict: RunVerdict, problems: readonly (Problem | ProblemData)[]): Promise<void> => {
      if (problems.length > 0) print({ type: 'problems', text: formatProblems(problems, call.terminal) });
      for (const trial of verdict.trials.filter(({ id }) => !printed.has(id)))
        printTrial(trial.id, trial, await eventsOf(folder, trial));
    },
  };
}

/** Whoever holds the other end of a pipe reads the results: when it is gone, as when it closes it, the run ends. */
function interruptWithInput(): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.once('end', () => process.kill(process.pid, 'SIGINT')).resume();
  (process.stdin as typeof process.stdin & { unref?(): void }).unref?.();
}
