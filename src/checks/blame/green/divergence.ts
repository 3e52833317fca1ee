/** One thing that is not as it was when the trial passed: who sent it, who got it, and when. */

export interface Divergence {
  /** Null where nobody can say who. */
  readonly party: string | null;
  /** Whose input it is. */
  readonly to: readonly string[];
  /** False where it cannot be told whether it differs: nobody is blamed for it, and nobody who got it can be. */
  readonly sure: boolean;
  /** When it was sent, and since when it may have mattered to whoever got it; on the clock of this attempt. */
  readonly sentAt?: number;
  readonly mattersAt?: number;
  /** The same in the run that passed. */
  readonly sentThen?: number;
  readonly matteredThen?: number;
  readonly edge?: string;
  readonly text: string;
  readonly seqs: readonly number[];
}

/** Whether one may have come of another: where the two have no clock in common, it may. */
export function mayFollow(later: Divergence, earlier: Divergence): boolean {
  if (later.sentAt !== undefined && earlier.mattersAt !== undefined) return earlier.mattersAt < later.sentAt;
  if (later.sentThen !== undefined && earlier.matteredThen !== undefined)
    return earlier.matteredThen < later.sentThen;
  return true;
}
