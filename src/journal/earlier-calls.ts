/** What passed between the parts of a system while they started, before an attempt began: written with it, because it is input, too. */

export interface EarlierCalls {
  /** Each once, however often it was made. */
  readonly calls: readonly EarlierCall[];
  /** Edges on which more passed than is kept. */
  readonly cut?: readonly string[];
}

/** As the calls of passing runs are kept: bounded, with ids and times renamed. */
export interface EarlierCall {
  readonly from: string;
  readonly to: string;
  /** Where it leads to another than the first listener of its provider. */
  readonly edge?: string;
  readonly name: string;
  readonly request: unknown;
  /** Null if there was none. */
  readonly answer: unknown;
  /** Milliseconds on the keeper's journal. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly optional?: true;
  readonly delivered?: true;
  readonly about?: readonly string[];
}
