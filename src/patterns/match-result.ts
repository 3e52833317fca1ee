/** The result of a match: whether it held, where value and pattern differ, and which paths were read. */

export interface Mismatch {
  /** Where in the value, such as `$.a.b[0]`. */
  readonly path: string;
  /** A short text for people. */
  readonly expected: string;
  /** The value at the path, printed and cut. */
  readonly observed: string;
  /** Why it is not known whether the two differ here: the answer depends on data that was not kept. */
  readonly open?: string;
  /** The two differ, but this does not prove the contrary: both may mean the same, or cannot be compared. */
  readonly doubt?: string;
  /** … and it matters only if nothing else is what was asked for: a path with a query, a body in another form. */
  readonly isSlight?: true;
  /** A denial, and nothing is there. */
  readonly isMissing?: true;
}

export interface MatchResult {
  readonly matched: boolean;
  readonly mismatches: readonly Mismatch[];
  /** How many mismatches were found beyond those listed. */
  readonly omitted: number;
  /** The paths that the pattern read. The path of a list or an exact map means its length or its keys. */
  readonly reads: readonly string[];
  /** The limit that ended the match early: the answer is then unknown, never matched. */
  readonly exceeded?: string;
  /** The answer depends on data that was not kept: it is then unknown, too. */
  readonly open?: string;
  /** It does not match, but that does not prove the contrary. */
  readonly doubt?: string;
  readonly isSlight?: true;
}

/** Whether a pattern that chooses, such as `when` of a line, chooses the value: there a missing key fulfils `$ne` and `$not`. */
export function selects({ matched, mismatches, omitted }: MatchResult): boolean {
  return (
    matched || (mismatches.length > 0 && omitted === 0 && mismatches.every(({ isMissing }) => isMissing))
  );
}
