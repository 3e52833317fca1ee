/** Random numbers from a seed: the same seed gives the same run. */

export interface Random {
  readonly seed: string;
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  integer(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
  hex(length: number): string;
  /** An independent stream of the same seed, so that adding a draw here changes nothing there. */
  fork(label: string): Random;
}

export function createRandom(seed: string): Random {
  const next = mulberry32(hash32(seed));
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    seed,
    next,
    integer,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('cannot pick from an empty list');
      return items[integer(0, items.length - 1)] as T;
    },
    shuffle: <T>(items: readonly T[]): T[] => {
      const mixed = [...items];
      for (let i = mixed.length - 1; i > 0; i -= 1) {
        const j = integer(0, i);
        [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
      }
      return mixed;
    },
    hex: (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
    fork: (label) => createRandom(`${seed}/${label}`),
  };
}

function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
