/** One line of a script: what a model is to say to one call, and how. As plain data: durations are milliseconds. */
import type { StopReason, Usage } from '../../protocols/turn/turn.ts';

/** By caller; `*` is for every caller that has no lines of its own. */
export type ModelScript = Readonly<Record<string, readonly ScriptLine[]>>;

export interface ScriptLine {
  readonly says?: string;
  readonly reasons?: string;
  /** Reasoning that only the provider can read. */
  readonly hides?: string;
  /** Vectors in place of those that follow from the texts; for an embedding. */
  readonly embeds?: readonly (readonly number[])[];
  readonly calls?: readonly ScriptedCall[];
  readonly refuses?: string;
  /** Follows from the rest where absent: `tool-calls` with calls, else `end`. */
  readonly stop?: StopReason;
  /** Estimated from the lengths where absent. */
  readonly usage?: Usage;
  /** A pattern over the request, see `RequestView`; the line waits for a call that fits. Others are used in order. */
  readonly when?: unknown;
  /** A pattern over the request that must hold for the call that gets this line. */
  readonly expect?: unknown;
  /** How often it is used; once where absent. `any`: as often as it fits, never included, and never unused. */
  readonly times?: number | 'any';
  /** A row of the corpus in whose shape it is sent. */
  readonly shape?: string;
  /** A refusal instead of a turn. */
  readonly error?: ScriptedError;
  /** Waited before the first byte. */
  readonly afterMs?: number;
  /** Waited between events. */
  readonly paceMs?: number;
  /** Characters of a piece of streamed text. */
  readonly pieceChars?: number;
  /** After the head nothing comes. */
  readonly hangs?: true;
  /** Of lines with the same name here, the first one that fits is used, and the others do not make it ambiguous. */
  readonly firstOf?: string;
}

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Their text as it is sent, in place of them: it need not be JSON. */
  readonly raw?: string;
  readonly id?: string;
}

export interface ScriptedError {
  readonly status: number;
  /** Follows from the status where absent. */
  readonly kind?: string;
  readonly message?: string;
  /** The header as it is sent: seconds, a date, or garbage. */
  readonly retryAfter?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the dialect's own body. */
  readonly json?: unknown;
  readonly text?: string;
}

/** What `when` and `expect` look at, and what `${request.…}` is taken from. */
export interface RequestView {
  readonly asks: 'turn' | 'embedding' | 'count';
  readonly model: string | null;
  readonly stream: boolean;
  readonly system: string;
  /** Of the last message of the user. */
  readonly text: string;
  readonly messages: readonly unknown[];
  /** How many answers of the model the history holds already. */
  readonly turn: number;
  /** What tools gave back since the last message of the user. */
  readonly results: readonly ToolResult[];
  /** The last of them. */
  readonly result?: ToolResult;
  /** Their names. */
  readonly tools: readonly string[];
  readonly maxTokens: number | null;
  /** In lower case; the key is shortened. */
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly json: unknown;
}

export interface ToolResult {
  readonly id: string;
  readonly text: string;
  /** Where the text is JSON. */
  readonly json?: unknown;
}
