/** The logical turn: what a model says in one answer, whatever the dialect and the shape in which it is sent. */

export interface Turn {
  /** In the order in which they came. */
  readonly parts: readonly TurnPart[];
  readonly stop: StopReason;
  readonly usage?: Usage;
}

export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      /** What a provider requires back unchanged on the next turn. */
      readonly signature?: string;
      /** Reasoning that only the provider can read. */
      readonly redacted?: string;
    }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      /** Sent in place of the arguments, as a text that need not be JSON. */
      readonly raw?: string;
      /** Of a custom tool: the plain text that it gets in place of arguments. */
      readonly input?: string;
      /** The name begins with this and a dot; they are sent apart. */
      readonly namespace?: string;
    }
  | { readonly kind: 'refusal'; readonly text: string }
  /** Something of a dialect that has no meaning of its own here: tools that the provider runs itself, images. */
  | { readonly kind: 'other'; readonly type: string; readonly value: unknown };

export type JsonObject = Readonly<Record<string, unknown>>;

export type StopReason =
  | 'end'
  | 'tool-calls'
  | 'length'
  | 'filter'
  | 'refusal'
  | 'stop-sequence'
  /** The provider asks to be called again to continue. */
  | 'pause'
  /** The context window is full. */
  | 'context'
  /** A word that the dialect does not define; `FoldedTurn.stopWord` has it. */
  | 'other';

export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Part of `input`. */
  readonly cachedInput?: number;
  /** Part of `input`: what the provider put into its cache, for five minutes and for an hour. */
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  /** Part of `output`. */
  readonly reasoning?: number;
}

/** What a body or a stream came to, as far as it came. */
export interface FoldedTurn {
  readonly dialect: DialectName;
  readonly streamed: boolean;
  /** The turn was ended as its dialect requires, and nothing of it is missing. */
  readonly complete: boolean;
  readonly parts: readonly FoldedPart[];
  readonly stop: StopReason | null;
  /** As it was on the wire. */
  readonly stopWord?: string;
  readonly usage: Usage | null;
  readonly id?: string;
  readonly model?: string;
  /** The provider said that it failed. */
  readonly error?: TurnError;
  /** Rules of the dialect that were broken, in the order of the bytes. Empty for every legal answer. */
  readonly faults: readonly WireFault[];
  /** Shapes outside the specification that are accepted. */
  readonly oddities: readonly WireFault[];
}

/** A call whose arguments were cut off, or are not a JSON object, has their text alone. */
export type FoldedPart =
  | Exclude<TurnPart, CallPart>
  | (Omit<CallPart, 'arguments' | 'input' | 'raw'> & {
      readonly arguments?: JsonObject;
      readonly argumentsText?: string;
    });

type CallPart = Extract<TurnPart, { readonly kind: 'call' }>;

export interface TurnError {
  /** The provider's own word: `overloaded_error`, `rate_limit_exceeded`, `upstream_truncated`. */
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}

export interface WireFault {
  /** The broken rule: `chat.no-finish`, `anthropic.block-not-open`, `sse.not-json`. */
  readonly rule: string;
  /** The row of the corpus that it is known from. */
  readonly shape?: string;
  /** One sentence with the value. */
  readonly what: string;
  /** The n-th event of the stream, from 1. */
  readonly event?: number;
}

export const dialectNames = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;

export type DialectName = (typeof dialectNames)[number];
