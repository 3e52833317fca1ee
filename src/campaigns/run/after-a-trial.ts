/** Events while no attempt is recorded, also during a renewal: they change no verdict, but are reported. */
import type { JournalEvent } from '../../journal/event.ts';
import { Problem } from '../../kernel/problem.ts';

/** Late reports about a trial that has ended. */
export interface Aftermath {
  readonly trial: string;
  lateErrors(): Promise<readonly string[]>;
}

export interface AfterATrial {
  /** Whether the journal of an attempt at this trial takes in what happens; it is the trial before from then on. */
  recording(trial: string, isOn: boolean): void;
  /** From now on, error lines are attributed to this trial. */
  begin(aftermath: Aftermath | undefined): void;
  /** A listener for a new environment. A node that is still being started does not die: it may be tried again. */
  hears(onDeath: () => void): (event: JournalEvent) => void;
  /** Something else begins: collects the last error lines of the trial before. */
  drain(): Promise<void>;
}

type Death = Extract<JournalEvent, { type: 'node.exited' }>;

export function listenAfterTrials(report: (problem: Problem) => void): AfterATrial {
  let aftermath: Aftermath | undefined;
  let before: string | undefined;
  let isRecorded = false;
  return {
    recording: (trial, isOn) => {
      before = trial;
      isRecorded = isOn;
    },
    begin: (next) => {
      aftermath = next;
      before = next?.trial ?? before;
      isRecorded = false;
    },
    hears: (onDeath) => {
      const starting = new Set<string>();
      return (event) => {
        if (event.type === 'node.starting') starting.add(event.name);
        if (event.type === 'node.ready') starting.delete(event.name);
        if (event.type !== 'node.exited' || event.expected || starting.has(event.name)) return;
        onDeath();
        if (!isRecorded) report(diedAfter(event, before));
      };
    },
    drain: async () => {
      const last = aftermath;
      const lines = (await last?.lateErrors()) ?? [];
      if (last && lines.length > 0) report(complainedAfter(lines, last.trial));
      aftermath = undefined;
    },
  };
}

function diedAfter({ kind, name, code, signal }: Death, trial: string | undefined): Problem {
  return new Problem({
    code: 'system.service-died',
    where: trial === undefined ? 'before the first trial' : `after ${trial}`,
    what: `${kind} ${name} ended by itself (${signal ?? `exit code ${code}`}) ${trial === undefined ? 'before a trial began' : 'after the trial had ended'}`,
    allowed: 'services that stay up',
    next: `look at it: shakedown logs ${name}; a longer \`settle\` lets the trial see it`,
  });
}

function complainedAfter(lines: readonly string[], trial: string): Problem {
  const [first = ''] = lines;
  return new Problem({
    code: 'system.late-error',
    where: `after ${trial}`,
    what: `an error line was written after the trial had ended: ${first}`,
    allowed: 'no error lines except those that `logs: { allow }` names',
    next: 'a longer `settle` lets the trial see it',
    evidence: lines,
  });
}
