/** `record --edge`: prints what crossed an edge in a stored run as the lines of a script, with checks to begin with. */
import path from 'node:path';
import { readRunPlan } from '../../campaigns/run/run-plan.ts';
import { trialFolder } from '../../campaigns/run/trial-folder.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { linesOfCalls } from '../../report/recording/lines-of-calls.ts';
import { type Call, optionText } from '../verb.ts';
import { findRun } from './find-run.ts';

export async function recordEdge(call: Call, written: string): Promise<ExitCode> {
  const folder = await findRun(call, optionText(call, 'from') ?? 'latest');
  const edge = edgeName(written);
  const trial = trialOf(folder, call.words[0]);
  const { events } = await readTrialJournal(path.join(folder, trialFolder(trial, 1)));
  const calls = events.flatMap((event): CallEvent[] => (event.type === 'call' ? [event] : []));
  const recording = linesOfCalls(calls, edge);
  if (!recording) throw nothingCrossed(edge, trial, calls);
  if (call.json) call.terminal.out(JSON.stringify({ trial, edge, ...recording }));
  else {
    const count = recording.calls === 1 ? 'one call' : `${recording.calls} calls`;
    call.terminal.out(`# ${count} on ${edge} in ${trial}, ${path.basename(folder)}\n${recording.script}\n`);
    call.terminal.out(recording.checks);
  }
  return exitCodes.held;
}

function trialOf(folder: string, word: string | undefined): string {
  const ids = readRunPlan(folder).trials.map(({ id }) => id);
  const found = word === undefined ? (ids.length === 1 ? ids[0] : undefined) : ids.find((id) => id === word);
  if (found !== undefined) return found;
  const guess = word === undefined ? undefined : nearest(word, ids);
  throw new Problem({
    code: 'usage.bad-value',
    where: 'shakedown record --edge',
    what:
      word === undefined
        ? `the run has ${ids.length} trials`
        : `the run has no trial ${JSON.stringify(word)}`,
    allowed: ids.slice(0, 20).join(', '),
    next: guess ? `did you mean \`${guess}\`?` : 'name the trial: shakedown record TRIAL --edge …',
  });
}

function nothingCrossed(edge: string, trial: string, calls: readonly CallEvent[]): Problem {
  const edges = [...new Set(calls.map(({ from, to }) => `${from} -> ${to}`))];
  const guess = nearest(edge, edges);
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown record --edge',
    what: `no call crossed \`${edge}\` in ${trial}`,
    allowed: edges.join(', ') || 'no call crossed any edge',
    next: guess ? `did you mean \`${guess}\`?` : 'name one of these',
  });
}
