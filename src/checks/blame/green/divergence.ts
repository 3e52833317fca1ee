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
  /** The output in which it shows: `check stored`. */
  readonly output?: string;
  readonly text: string;
  readonly seqs: readonly number[];
}

/** Whether one may have come of another: `unknown` where the two have no clock in common. */
function mayFollow(later: Divergence, earlier: Divergence): boolean | 'unknown' {
  if (later.sentAt !== undefined && earlier.mattersAt !== undefined) return earlier.mattersAt < later.sentAt;
  if (later.sentThen !== undefined && earlier.matteredThen !== undefined)
    return earlier.matteredThen < later.sentThen;
  return 'unknown';
}

export interface Origins {
  /** Where it all began: what was sent before its sender had got anything that differs. */
  readonly roots: readonly Divergence[];
  /** Something on the way cannot be told, so that it may as well have begun there. */
  readonly isDoubtful: boolean;
}

/**
 * From some of them back, through what their senders had got, to the beginnings. A peer that is played has a script for each
 * caller: what it says to one does not come of what another has asked.
 */
export function originsOf(
  some: readonly Divergence[],
  all: readonly Divergence[],
  isPlayed: (party: string) => boolean,
): Origins {
  const passed = new Set(some);
  const waiting = [...some];
  const roots: Divergence[] = [];
  let isDoubtful = false;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const inputs = inputsOf(one, all, isPlayed);
    isDoubtful ||= !one.sure || one.party === null || inputs.some(({ follows }) => follows === 'unknown');
    if (inputs.length === 0) roots.push(one);
    for (const { other } of inputs) {
      if (passed.has(other)) continue;
      passed.add(other);
      waiting.push(other);
    }
  }
  return { roots, isDoubtful };
}

function inputsOf(
  one: Divergence,
  all: readonly Divergence[],
  isPlayed: (party: string) => boolean,
): readonly { readonly other: Divergence; readonly follows: boolean | 'unknown' }[] {
  const { party, to } = one;
  if (party === null) return [];
  const isOwn = (other: Divergence): boolean =>
    !isPlayed(party) || (other.party !== null && to.includes(other.party));
  return all
    .filter((other) => other !== one && other.to.includes(party) && isOwn(other))
    .map((other) => ({ other, follows: mayFollow(one, other) }))
    .filter(({ follows }) => follows !== false);
}
