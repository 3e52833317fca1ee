/** The faults that a tap can apply to single exchanges of an HTTP edge, as plain data. */

export interface ExchangeRule {
  /** How the trial names it: `disturb[0]`. */
  readonly name: string;
  /** The n-th exchange since the rules were placed, from 1, among those that `where` selects; several; or, absent, every one. */
  readonly crossing?: number | readonly number[];
  readonly where?: ExchangeFilter;
  readonly fault: ExchangeFault;
}

export interface ExchangeFilter {
  /** Of HTTP. */
  readonly method?: string;
  /** Without query; `*` matches any characters. */
  readonly path?: string;
  /** Method of a JSON-RPC message in the body: `tools/call`. */
  readonly rpc?: string;
}

export type ExchangeFault =
  | {
      readonly do: 'delay';
      readonly of: 'request' | 'response' | 'event';
      readonly ms: number;
      /** Up to this much more, at random. */
      readonly jitterMs?: number;
    }
  | { readonly do: 'cut'; readonly at: Place; readonly by: 'fin' | 'reset' }
  /** The response stops at the place, and nothing more comes for this long; permanently where absent. */
  | { readonly do: 'hold'; readonly at: Place; readonly ms?: number }
  /** Instead of the upstream's answer; the upstream is not called unless `forward`. */
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
      /** A stream of events, instead of one body. */
      readonly events?: readonly AnswerEvent[];
      /** Answers of JSON-RPC in it get the id of the request, and the session that the upstream gave stays. */
      readonly keepsId?: true;
      readonly forward?: boolean;
    }
  /** The upstream gets the request twice, one after the other; the consumer gets the first answer. */
  | { readonly do: 'duplicate'; readonly what: 'request' }
  | { readonly do: 'duplicate'; readonly what: 'event'; readonly event: number }
  | { readonly do: 'drop'; readonly event: number }
  /** Two events are swapped. */
  | { readonly do: 'reorder'; readonly events: readonly [number, number] }
  /** The answer is folded to its turn, or read as its JSON-RPC result, and sent in the shape of the corpus; legal or not. */
  | { readonly do: 'shape'; readonly shape: string }
  /** The answer passes in its form, with other values in its JSON; one without any passes unchanged. */
  | { readonly do: 'wrong' };

export interface AnswerEvent {
  readonly event?: string;
  readonly id?: string;
  /** A text is sent as it is, everything else as JSON. */
  readonly data: unknown;
}

/** Where in a response; counted in its body. */
export type Place =
  /** Before the first byte of the body, after the head. */
  | { readonly head: true }
  /** After this many bytes. */
  | { readonly byte: number }
  /** Before the n-th event; `finish` is the first event that says why the turn ended, or the end mark. */
  | { readonly event: number | 'finish' }
  /** Inside the first occurrence of this character: after its first byte. A longer text: after half of its bytes. */
  | { readonly inside: string }
  /** Inside the n-th event that carries a fragment of a tool's arguments, after the first half of the fragment. */
  | { readonly argumentDelta: number }
  /** Inside the n-th event that carries text. */
  | { readonly textDelta: number };
