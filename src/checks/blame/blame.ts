/** The party to blame, by which rule, and the evidence. */

export interface Blame {
  /** A service, a resource, a model, a third party; null if none can be named. */
  readonly party: string | null;
  /** Where no party is proven: the one that began to differ from the passing runs; `because` says what keeps it from proof. */
  readonly suspect?: string;
  /** Where it shows. */
  readonly edge?: string;
  /** `because` does not name it. */
  readonly edgeUnsaid?: true;
  readonly rule: BlameRule;
  /** One sentence. For an unknown blame: what would have shown it. */
  readonly because: string;
  /** Numbers of the events in the trial's journal that prove it. */
  readonly evidence: readonly number[];
}

/** 1: died or silent. 2: illegal output after legal input. 3: broke a relay. 4: first divergence. 5: unknown. */
export type BlameRule = 1 | 2 | 3 | 4 | 5 | 'ladder';
