/** What a dialect of model providers is: requests read, answers printed, answers folded back, rules judged. Pure. */
import type { DialectName, FoldedTurn, JsonObject, Turn, WireFault } from './turn.ts';

export interface Dialect {
  readonly name: DialectName;
  /** Undefined where method and path (without query, with or without a leading version) are none of this dialect's. */
  route(method: string, path: string): ModelRoute | undefined;
  /** Never throws: what is wrong with the body is in `faults`. */
  readRequest(body: unknown, route: ModelRoute): ModelRequest;
  /** The one JSON body of an answer that is not streamed. */
  printBody(turn: Turn, about: PrintAbout): JsonObject;
  /** The events of a streamed answer in the plainest legal shape, its end mark included. */
  printEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[];
  /** The body of a refusal, as the provider words it. */
  printError(error: ProviderError): JsonObject;
  /** From a JSON body that came with a status of 2xx or with a refusal. */
  foldBody(body: unknown, status: number): FoldedTurn;
  /** From the events of a stream. */
  createFold(): TurnFold;
}

/** What the address says already; of Gemini the model and whether it is streamed. */
export interface ModelRoute {
  readonly model?: string;
  readonly stream?: boolean;
}

/** A request to a model, whatever its dialect. */
export interface ModelRequest {
  readonly model: string | null;
  readonly stream: boolean;
  /** The consumer asked for usage in the stream, or its dialect always has it. */
  readonly wantsUsage: boolean;
  /** Reasoning comes with what the provider requires back unchanged: on request, or always in its dialect. */
  readonly wantsSeals?: boolean;
  /** How many answers to the same prompt; one where absent. */
  readonly choices?: number;
  readonly system: string;
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly OfferedTool[];
  /** There may be other tools: those of a toolset, of a stored prompt, of the thread that is continued. */
  readonly mayOfferMore?: boolean;
  readonly maxTokens: number | null;
  /** Known where the text was sent as tokens. */
  readonly inputTokens?: number;
  /** Rules that the request breaks in every mode: a missing model, messages that are not a list. */
  readonly faults: readonly WireFault[];
  /** Rules of the history that a real provider enforces: a tool result without its call, a call without its result, an empty message. */
  readonly historyFaults: readonly WireFault[];
}

export interface OfferedTool {
  readonly name: string;
  readonly schema: unknown;
  /** It takes plain text, and has no schema. */
  readonly isCustom?: boolean;
  /** Its name begins with this and a dot. */
  readonly namespace?: string;
  /** It is not called as others are, but in an item of the dialect that is made of the arguments. */
  readonly item?: (made: JsonObject) => JsonObject & { readonly type: string };
}

export interface RequestMessage {
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  /** Of a tool: the call that it answers. */
  readonly results: readonly { readonly id: string; readonly text: string; readonly isError?: boolean }[];
}

/** What an answer has besides the turn. */
export interface PrintAbout {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970, as providers stamp it. */
  readonly createdAt: number;
  readonly wantsUsage: boolean;
  /** Visible text is sent in pieces of at most this many characters; arguments too. */
  readonly pieceChars: number;
  /** How many times the same turn is sent, where the dialect has that; once where absent. */
  readonly choices?: number;
  /** The body that is answered, for what an answer repeats of it. */
  readonly request?: JsonObject;
}

export interface PrintedEvent {
  /** The name on the `event:` line, where the dialect has one. */
  readonly event?: string;
  /** Usually JSON in one line; `[DONE]`. */
  readonly data: string;
}

export interface ProviderError {
  readonly status: number;
  readonly kind:
    | 'invalid-request'
    | 'authentication'
    | 'permission'
    | 'not-found'
    | 'rate-limit'
    | 'overloaded'
    | 'server'
    | 'context-overflow'
    | 'billing';
  readonly message: string;
  /** In place of the one that follows from the kind, where the dialect has any. */
  readonly code?: string;
}

export interface TurnFold {
  push(event: { readonly event?: string; readonly data: string }): void;
  /** The stream is over: by its proper end, or cut off. What is missing is then in `faults`. */
  end(how: 'end' | 'cut'): FoldedTurn;
  /** What has come so far; can be called any number of times. `complete` only when the end mark was seen. */
  soFar(): FoldedTurn;
}
