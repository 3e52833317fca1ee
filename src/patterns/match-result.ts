/** What a match says: whether it held, where value and pattern part, and which paths were looked at. */

export interface Mismatch {
  /** Where in the value, such as `$.a.b[0]`. */
  readonly path: string;
  /** A short text for people. */
  readonly expected: string;
  /** The value at the path, printed and cut. */
  readonly observed: string;
  /** Why it cannot be known whether the two part here: the answer lies in what was not kept. */
  readonly open?: string;
  /** The two part, but this proves nothing for whoever asks for the contrary: both may mean the same, or cannot be compared. */
  readonly doubt?: string;
  /** … and it matters only where nothing else is what was asked for: a path with a query, a body in another form. */
  readonly isSlight?: true;
}

export interface MatchResult {
  readonly matched: boolean;
  readonly mismatches: readonly Mismatch[];
  /** How many mismatches were found beyond those listed. */
  readonly omitted: number;
  /** The paths that the pattern looked at. The path of a list or an exact map stands for its length or its keys. */
  readonly reads: readonly string[];
  /** The limit that ended the match early: the answer is then unknown, never matched. */
  readonly exceeded?: string;
  /** The answer lies in what was not kept: it is then unknown too. */
  readonly open?: string;
  /** It does not match, and whoever takes that as a proof of the contrary is wrong. */
  readonly doubt?: string;
  readonly isSlight?: true;
}
