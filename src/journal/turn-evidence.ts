/** A turn of a model as it is written down, folded from whatever the wire brought. */

export interface TurnEvidence {
  readonly dialect: string;
  readonly streamed: boolean;
  /** It was ended as its dialect demands, and nothing of it is missing. */
  readonly complete: boolean;
  /** All visible text, joined. */
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments?: unknown;
    /** Instead, where they were cut off or are not a JSON object. */
    readonly argumentsText?: string;
  }[];
  readonly stop: string | null;
  readonly usage: UsageEvidence | null;
  readonly model?: string;
  readonly error?: { readonly type: string; readonly message: string; readonly code?: string };
  readonly faults: readonly TurnFault[];
  readonly oddities: readonly TurnFault[];
}

export interface TurnFault {
  readonly rule: string;
  readonly shape?: string;
  readonly what: string;
  readonly event?: number;
}

export interface UsageEvidence {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  readonly reasoning?: number;
}
