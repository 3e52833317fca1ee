/** A maximum matching of two groups where not every pair fits. */

/** For each on the right, its partner on the left (or undefined). Greedy choices are undone where that helps. */
export function pairUp(
  leftCount: number,
  rightCount: number,
  fits: (left: number, right: number) => boolean,
): (number | undefined)[] {
  const partnerOf: (number | undefined)[] = Array.from({ length: rightCount }, () => undefined);
  const known = new Map<number, boolean>();
  const fitsOnce = (left: number, right: number): boolean => {
    const key = left * rightCount + right;
    const answer = known.get(key) ?? fits(left, right);
    known.set(key, answer);
    return answer;
  };
  const place = (left: number, asked: Set<number>): boolean => {
    for (let right = 0; right < rightCount; right += 1) {
      if (asked.has(right) || !fitsOnce(left, right)) continue;
      asked.add(right);
      const current = partnerOf[right];
      if (current === undefined || place(current, asked)) {
        partnerOf[right] = left;
        return true;
      }
    }
    return false;
  };
  for (let left = 0; left < leftCount; left += 1) place(left, new Set());
  return partnerOf;
}
