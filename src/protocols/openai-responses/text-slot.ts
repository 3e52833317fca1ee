/** One text that arrives in fragments and again as a whole, perhaps several times: counted once. */

export interface TextSlot {
  /** What it was announced with. */
  seed: string;
  deltas: string;
  /** The final text as announced; usually several times the same. */
  final: string | undefined;
}

export function createTextSlot(): TextSlot {
  return { seed: '', deltas: '', final: undefined };
}

/** The whole as far as it is known. What was announced may come again as the first fragments. */
export function textOf({ seed, deltas, final }: TextSlot): string {
  if (final !== undefined) return final;
  return deltas.startsWith(seed) ? deltas : seed + deltas;
}

export type Settling =
  | 'same'
  /** There were no fragments. */
  | 'only-now'
  /** It is empty although fragments came; the fragments are kept. */
  | 'empty'
  | 'differs';

/** Takes a text that is marked as complete. Where it contradicts the fragments, the longer of the two is kept. */
export function settleText(slot: TextSlot, whole: string): Settling {
  const known = textOf(slot);
  const isFirst = slot.final === undefined;
  if (whole === known || (isFirst && (whole === slot.seed + slot.deltas || whole === slot.deltas))) {
    slot.final = whole === known ? known : whole;
    return 'same';
  }
  if (known === '') {
    slot.final = whole;
    return 'only-now';
  }
  if (whole === '') return 'empty';
  if (whole.startsWith(known)) slot.final = whole;
  return 'differs';
}

/** True where the text had been marked as complete before. */
export function addFragment(slot: TextSlot, fragment: string): boolean {
  const wasFinal = slot.final !== undefined;
  if (slot.final !== undefined) {
    slot.deltas = slot.final;
    slot.seed = '';
    slot.final = undefined;
  }
  slot.deltas += fragment;
  return wasFinal && fragment !== '';
}
