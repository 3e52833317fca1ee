/** One running flow, as its performer sees it: the attempt, the system, and the flow's results so far. */
import type { Attempt } from '../perform/attempt.ts';
import type { FlowPlace, KnownParts } from './as-written.ts';

export interface FlowPerformance {
  readonly attempt: Attempt;
  readonly known: KnownParts;
  /** The number of the next step. */
  nextStep(): number;
  nextLook(): number;
  place(line: number): FlowPlace;
  /** Step names in use. */
  readonly names: Set<string>;
  /** Connection to the steps on it, the one that opened it included. */
  readonly lines: Map<string, string[]>;
}

export function createFlowPerformance(attempt: Attempt, known: KnownParts): FlowPerformance {
  const { file, folder } = attempt.trial;
  let steps = 0;
  let looks = 0;
  return {
    attempt,
    known,
    nextStep: () => {
      steps += 1;
      return steps;
    },
    nextLook: () => {
      looks += 1;
      return looks;
    },
    place: (line) => ({ file, folder, line }),
    names: new Set(),
    lines: new Map(),
  };
}
