/** The allowed word that a misspelt one most likely meant. */

export function nearest(word: string, allowed: readonly string[]): string | undefined {
  const scored = allowed
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = scored[0];
  if (!best || best.distance > Math.max(1, Math.floor(Math.max(word.length, best.candidate.length) / 3)))
    return undefined;
  return best.candidate;
}

/** What to do about an unknown word: the guess, or else what is advised in general. */
export function didYouMean(word: string, allowed: readonly string[], otherwise: string): string {
  const guess = nearest(word, allowed);
  return guess === undefined ? otherwise : `did you mean \`${guess}\`?`;
}

/** What a problem with an unknown name says besides where and what: the known names, or that there are none. */
export function unknownName(word: string, known: readonly string[], otherwise: string, none = '') {
  return {
    code: 'config.unknown-name',
    allowed: known.join(', ') || none,
    next: didYouMean(word, known, otherwise),
  } as const;
}

/** Insertions, deletions, substitutions and swaps of neighbours between two words. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] as number) + 1, at(rows, i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: number[][], i: number, j: number): number {
  return rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
}
