/** A model provider: its settings, questions, answers, and failures. */

export interface Provider {
  readonly name: string;
  /** Up to and with `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Whether its answers are asked for as a stream. */
  readonly streamed: boolean;
  /** For everything it is asked about one message, a second try included. */
  readonly timeoutMs: number;
}

export interface Question {
  readonly instruction: string;
  readonly text: string;
}

export interface Said {
  readonly text: string;
  /** Null where it did not report them. */
  readonly tokens: Tokens | null;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export interface Thought extends Said {
  readonly provider: string;
}

/**
 * `passing`: the same provider may well answer a moment later. `lasting`: this one will not, another one may.
 * `question`: the question itself is refused, and no other provider would accept it.
 */
export type TroubleKind = 'passing' | 'lasting' | 'question';

export class ProviderTrouble extends Error {
  readonly kind: TroubleKind;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: TroubleKind, detail: string, retryAfterMs?: number) {
    super(detail);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
