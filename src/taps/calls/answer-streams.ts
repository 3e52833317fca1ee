/** Event streams that carry the answers to requests of other connections, as the older transport of MCP has them. */
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import type { SseEvent } from '../../protocols/sse/sse-parser.ts';
import { callLimits } from './call-limits.ts';
import { idOfCut, isAnswerBeginning } from './rpc-beginning.ts';
import { rpcAnswersIn } from './rpc-calls.ts';

export type Said =
  | { readonly result: unknown }
  | { readonly error: unknown }
  /** An answer came that is too large to be kept. */
  | { readonly tooLarge: true };

/** Called with the answer, or with nothing when the stream has ended without it. */
export type OnAnswer = (said: Said | undefined) => void;

export class AnswerStream {
  readonly #streams: Map<string, AnswerStream>;
  readonly #target: string;
  readonly #waiting = new Map<string, OnAnswer[]>();
  #endpoint: string | undefined;

  /** The target is that of the request which opened the stream. */
  constructor(streams: Map<string, AnswerStream>, target: string) {
    this.#streams = streams;
    this.#target = target;
  }

  /** A stream may name, as its first event, the address to which requests are sent whose answers it brings. */
  heard(event: SseEvent): void {
    if (event.event === 'endpoint') this.#serve(event.data);
    if (this.#waiting.size === 0) return;
    for (const { key, said } of answersIn(event)) this.#answer(key, said);
  }

  /** The returned function unregisters it. Answers to the same id are given in the order of the requests. */
  expect(key: string, onAnswer: OnAnswer): () => void {
    const queue = this.#waiting.get(key);
    if (queue === undefined) this.#waiting.set(key, [onAnswer]);
    else queue.push(onAnswer);
    return () => {
      const left = (this.#waiting.get(key) ?? []).filter((waiting) => waiting !== onAnswer);
      if (left.length === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, left);
    };
  }

  end(): void {
    if (this.#endpoint !== undefined && this.#streams.get(this.#endpoint) === this)
      this.#streams.delete(this.#endpoint);
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const onAnswer of waiting) onAnswer(undefined);
  }

  #serve(endpoint: string): void {
    const target = plainTarget(endpoint, this.#target);
    if (target === undefined || this.#endpoint !== undefined) return;
    this.#endpoint = target;
    this.#streams.set(target, this);
  }

  #answer(key: string, said: Said): void {
    const [first, ...others] = this.#waiting.get(key) ?? [];
    if (others.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, others);
    first?.(said);
  }
}

interface Answer {
  readonly key: string;
  readonly said: Said;
}

/** For one that is too large to be kept, the waiting call is only marked as answered. */
export function answersIn({ data, truncated, tail = '' }: SseEvent): readonly Answer[] {
  const id = truncated && isAnswerBeginning(data) ? idOfCut(data, tail) : undefined;
  const value = truncated ? { jsonrpc: '2.0', id, result: null } : looseJson(data);
  const isLarge = data.length > callLimits.jsonBytes;
  return rpcAnswersIn(value).map(({ key, said }) => ({ key, said: isLarge ? { tooLarge: true } : said }));
}

/** Path and query alone, so that an absolute address and a relative one are the same. */
export function plainTarget(target: string, base = '/'): string | undefined {
  const url = URL.parse(target, URL.parse(base, anyHost)?.href ?? anyHost);
  return url === null ? undefined : `${url.pathname}${url.search}`;
}

const anyHost = 'http://provider';
