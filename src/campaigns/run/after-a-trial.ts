/** What happened when a trial was over already, and nothing else had begun: it is nobody's verdict, and is told nevertheless. */
import { Problem } from '../../kernel/problem.ts';

/** What is still to be heard of a trial that is over. */
export interface Aftermath {
  readonly trial: string;
  lateErrors(): Promise<readonly string[]>;
}

export interface AfterATrial {
  /** From now on, whoever ends or complains does it because of this trial. */
  begin(aftermath: Aftermath | undefined): void;
  /** A service ended by itself. */
  died(service: string, how: string): void;
  /** Something else begins: the last word of the trial before. */
  hearOut(): Promise<void>;
}

export function listenAfterTrials(tell: (problem: Problem) => void): AfterATrial {
  let aftermath: Aftermath | undefined;
  return {
    begin: (next) => {
      aftermath = next;
    },
    died: (service, how) => {
      if (aftermath) tell(diedAfter(service, how, aftermath.trial));
    },
    hearOut: async () => {
      const heard = aftermath;
      const lines = (await heard?.lateErrors()) ?? [];
      if (heard && lines.length > 0) tell(complainedAfter(lines, heard.trial));
      aftermath = undefined;
    },
  };
}

function diedAfter(service: string, how: string, trial: string): Problem {
  return new Problem({
    code: 'system.service-died',
    where: `after ${trial}`,
    what: `service ${service} ended by itself (${how}) when the trial was over already`,
    allowed: 'services that stay up',
    next: `look at it: shakedown logs ${service}; a longer \`settle\` lets the trial see it`,
  });
}

function complainedAfter(lines: readonly string[], trial: string): Problem {
  const [first = ''] = lines;
  return new Problem({
    code: 'system.late-error',
    where: `after ${trial}`,
    what: `an error line came when the trial was over already: ${first}`,
    allowed: 'no error line, but those that `logs: { allow }` names',
    next: 'a longer `settle` lets the trial see it',
    evidence: lines,
  });
}
