/** One difference from the passing run: its sender, its receiver, and its time. */

export interface Divergence {
  /** Null if the sender is not known. */
  readonly party: string | null;
  /** The party that received it. */
  readonly to: readonly string[];
  /** False if it is unsure whether it differs: neither its sender nor its receiver can be blamed for it. */
  readonly sure: boolean;
  /** When it was sent, and from when it may have affected its receiver; on the clock of this attempt. */
  readonly sentAt?: number;
  readonly mattersAt?: number;
  /** The same in the passing run. */
  readonly sentThen?: number;
  readonly matteredThen?: number;
  readonly edge?: string;
  /** `text` does not name it. */
  readonly edgeUnsaid?: true;
  /** The output that shows it: `check stored`. */
  readonly output?: string;
  readonly text: string;
  readonly seqs: readonly number[];
  /** In a store: the tables, or the key. */
  readonly about?: readonly string[];
  /** It differs, perhaps by chance; where something else explains it, that is no doubt. */
  readonly vague?: true;
  /** It may be the same: one of the two was not kept as a whole. */
  readonly unkept?: true;
}

/** Whether one may be a consequence of another: `unknown` if the two have no common clock. */
function mayFollow(later: Divergence, earlier: Divergence): boolean | 'unknown' {
  if (later.sentAt !== undefined && earlier.mattersAt !== undefined) return earlier.mattersAt < later.sentAt;
  if (later.sentThen !== undefined && earlier.matteredThen !== undefined)
    return earlier.matteredThen < later.sentThen;
  return 'unknown';
}

export interface Origins {
  /** The origins: sent before their senders had received anything that differs. */
  readonly roots: readonly Divergence[];
  /** On the path, what is unsure: it may as well have begun there. */
  readonly doubts: readonly Divergence[];
}

export interface Roles {
  /** A played peer has a script for each caller: its answer to one does not depend on the requests of another. */
  isPlayed(party: string): boolean;
  isStore(party: string): boolean;
}

/** Follows some divergences back, through what their senders had received, to the origins. */
export function originsOf(some: readonly Divergence[], all: readonly Divergence[], roles: Roles): Origins {
  const passed = new Set(some);
  const waiting = [...some];
  const roots: Divergence[] = [];
  const doubts = new Set<Divergence>();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const inputs = inputsOf(one, all, roles);
    const isExplained = one.vague && inputs.length > 0;
    if ((!one.sure && !isExplained) || one.party === null) doubts.add(one);
    if (inputs.length === 0) roots.push(one);
    for (const { other, follows } of inputs) {
      if (follows === 'unknown') doubts.add(other);
      if (passed.has(other)) continue;
      passed.add(other);
      waiting.push(other);
    }
  }
  return { roots, doubts: [...doubts] };
}

function inputsOf(one: Divergence, all: readonly Divergence[], { isPlayed, isStore }: Roles) {
  const { party, to } = one;
  if (party === null) return [];
  const isOwn = (other: Divergence): boolean => {
    if (isStore(party)) return areRelated(one, other);
    return !isPlayed(party) || (other.party !== null && to.includes(other.party));
  };
  return all
    .filter((other) => other !== one && other.to.includes(party) && isOwn(other))
    .map((other) => ({ other, follows: mayFollow(one, other) }))
    .filter(({ follows }) => follows !== false);
}

/** What is written to one table is not read from another. */
export function areRelated(
  { about: one = [] }: Pick<Divergence, 'about'>,
  { about: other = [] }: Pick<Divergence, 'about'>,
): boolean {
  return one.length === 0 || other.length === 0 || one.some((name) => other.includes(name));
}
