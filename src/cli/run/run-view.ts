/** What a person sees of a run: a line for each trial that held, a story for each that did not, and a live line below. */

import { entriesFor, excuse } from '../../campaigns/run/quarantine-of-run.ts';
import { reproCommand } from '../../campaigns/run/repro-command.ts';
import type { RunPlan } from '../../campaigns/run/run-plan.ts';
import { trialFolder } from '../../campaigns/run/trial-folder.ts';
import type { GreenDigest } from '../../checks/blame/green/green-digest.ts';
import { explanationOf } from '../../checks/explanation.ts';
import { judge } from '../../checks/judge-attempt.ts';
import { excusedBy } from '../../checks/under-quarantine.ts';
import type { TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { estimateLeft } from '../../report/terminal/estimate-left.ts';
import { progressLine } from '../../report/terminal/progress-line.ts';
import { tellTrial } from '../../report/terminal/tell-trial.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Terminal } from '../terminal.ts';

export interface RunView {
  started(trial: Trial, attempt: number): void;
  /** Judges what was just performed, for the eye; the run is judged as a whole at its end. */
  ended(trial: Trial, attempt: number, folder: string): Promise<TrialVerdict>;
  /** A line above the live one. */
  say(text: string): void;
  /** No live line from now on. */
  close(): void;
}

export interface RunViewOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly plan: RunPlan;
  readonly earlierMs: ReadonlyMap<string, number>;
  readonly parallel: number;
  readonly runFolder: string;
  /** What is known of a trial from runs that passed. */
  readonly greenOf: (trial: string) => GreenDigest | undefined;
  /** Nothing is printed. */
  readonly silent: boolean;
}

const redrawMs = 120;

export function openRunView(options: RunViewOptions): RunView {
  const { terminal, clock, plan, silent } = options;
  let isLive = terminal.isLive && !silent;
  const running = new Map<string, number>();
  const counts: Partial<Record<Verdict, number>> = {};
  const left = plan.trials
    .filter(({ skipReason }) => skipReason === undefined)
    .flatMap(({ id, attempts }) => Array.from({ length: attempts * plan.rounds }, () => id));
  const total = left.length;
  let drawn = false;
  let cancel: (() => void) | undefined;
  const erase = (): void => {
    if (drawn) terminal.erase(0);
    drawn = false;
  };
  const draw = (): void => {
    erase();
    const under = [...running].map(([id, since]) => ({ id, ranMs: clock.monotonic() - since }));
    const leftMs = estimateLeft({
      waiting: left,
      running: under,
      earlierMs: options.earlierMs,
      atOnce: options.parallel,
    });
    terminal.draw(progressLine({ total, counts, running: under, leftMs }, terminal.columns - 1));
    drawn = true;
  };
  const tick = (): void => {
    draw();
    cancel = clock.after(redrawMs, tick);
  };
  if (isLive) tick();
  const say = (text: string): void => {
    if (silent) return;
    erase();
    terminal.out(text);
    if (isLive) draw();
  };
  return {
    say,
    started: ({ record: { id } }) => {
      running.set(id, clock.monotonic());
      const index = left.indexOf(id);
      if (index >= 0) left.splice(index, 1);
    },
    ended: async (trial, attempt, folder) => {
      running.delete(trial.record.id);
      const { events } = await readTrialJournal(folder);
      const judged = judge(events, undefined, options.greenOf(trial.record.id));
      const verdict = forTheEye(trial, attempt, plan, judged);
      counts[verdict.verdict] = (counts[verdict.verdict] ?? 0) + 1;
      say(
        tellTrial(verdict, events, {
          columns: terminal.columns,
          paint: terminal.paint,
          runFolder: options.runFolder,
        }).join('\n'),
      );
      const twins = verdict.verdict === 'passed' ? twinsOf(judged) : [];
      if (twins.length > 0) say(terminal.paint('dim', `  if ${twins.join(', ')} holds, too`));
      return verdict;
    },
    close: () => {
      isLive = false;
      cancel?.();
      erase();
    },
  };
}

/** Without these, what it says about absence is unknown at the end. */
function twinsOf({ absences }: ReturnType<typeof judge>): readonly string[] {
  return [...new Set(absences.flatMap(({ provenBy }) => (provenBy === undefined ? [] : [provenBy])))];
}

function forTheEye(
  trial: Trial,
  attempt: number,
  plan: RunPlan,
  judged: ReturnType<typeof judge>,
): TrialVerdict {
  const { record } = trial;
  const { id, file, line, tags, covers } = record;
  const { cause, checks, faults, durationMs } = judged;
  const entry = judged.verdict === 'failed' ? excusedBy(entriesFor(plan, id), [judged]) : undefined;
  const often = plan.rounds * trial.attempts;
  return {
    id: often > 1 ? `${id} (${attempt} of ${often})` : id,
    ...(record.title === undefined ? {} : { title: record.title }),
    file,
    line,
    tags,
    covers,
    ...explanationOf(record),
    backend: null,
    verdict: entry ? 'unstable' : judged.verdict,
    ...(entry ? { quarantined: excuse(entry, 'failed') } : {}),
    cause,
    attempts: 1,
    checks,
    blame: judged.blame,
    durationMs,
    costUsd: judged.costUsd,
    ...(judged.paidUsd === undefined ? {} : { paidUsd: judged.paidUsd }),
    unpriced: judged.unpriced,
    ...(judged.unmetered === undefined ? {} : { unmetered: judged.unmetered }),
    tokens: judged.tokens,
    skipReason: null,
    repro: reproCommand(plan, id),
    faults,
    folder: trialFolder(id, attempt),
  };
}
