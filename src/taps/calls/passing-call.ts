/** One request and its response while they pass. */
import { type CallBreach, unfinishedRules } from '../../journal/call-event.ts';
import type { HttpHeaders, RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import type { EventEvidence } from '../../protocols/sse/event-evidence.ts';
import type { AnswerStream, Said } from './answer-streams.ts';
import { KeptBody } from './kept-body.ts';
import { rpcBeginning } from './rpc-beginning.ts';
import { type RpcCall, rpcCallsIn } from './rpc-calls.ts';
import type { SeenTurn, TurnWatch } from './turn-watch.ts';

/** What becomes one event of the journal: the whole request, or one call of its batch. */
export interface CallPart {
  readonly crossing: number;
  readonly rpc?: RpcCall;
  said?: Said;
  /** Unregisters it from an answer stream. */
  forget?: () => void;
  /** That stream has ended without it. */
  isLost?: true;
  /** When its consumer cancelled it: it need not be answered any more. */
  cancelledAt?: number;
  isReported?: true;
  /** Its response came, and its answer is still to come. */
  onSaid?: (said: Said | undefined) => void;
}

export class PassingCall {
  /** The number of its first part. */
  readonly crossing: number;
  readonly connection: number;
  readonly request: RequestHead;
  startedAt: number;
  requestBody: KeptBody | undefined;
  isSent = false;
  response: ResponseHead | undefined;
  responseBody: KeptBody | EventEvidence | undefined;
  isAnswered = false;
  /** What came after bodies in chunks. */
  trailers: { request?: HttpHeaders; response?: HttpHeaders } = {};
  /** A rule changes or stops its response, so that what came does not speak for the provider. */
  isDisturbed = false;
  /** Whether it counts as in flight; what listens to events does not. */
  isCounted = true;
  parts: readonly CallPart[] | undefined;
  /** What the response brings, where it is a stream of events for others. */
  stream: AnswerStream | undefined;
  /** Of a call to a model. */
  turn: TurnWatch | undefined;
  /** What was wrong with its HTTP. */
  breaches: readonly CallBreach[] = [];
  #sent: BodyReading | undefined;
  #fresh: Uint8Array[] = [];

  constructor(crossing: number, connection: number, request: RequestHead, startedAt: number) {
    this.crossing = crossing;
    this.connection = connection;
    this.request = request;
    this.startedAt = startedAt;
  }

  addToRequest(bytes: Uint8Array): void {
    this.requestBody ??= new KeptBody(this.request.headers);
    this.requestBody.push(bytes);
  }

  /** The piece must stay as it is until `takeIn`. */
  addToResponse(bytes: Uint8Array): void {
    this.#fresh.push(bytes);
  }

  /** Reads the pieces that came together as one, because a stream in chunks has very many. */
  takeIn(now: number): void {
    const fresh = this.#fresh;
    const [first] = fresh;
    if (first === undefined) return;
    this.#fresh = [];
    const bytes = fresh.length === 1 ? first : Buffer.concat(fresh);
    this.responseBody ??= new KeptBody(this.response?.headers ?? {});
    this.responseBody.push(bytes, Math.round((now - this.startedAt) * 1_000) / 1_000);
    this.turn?.push(bytes);
  }

  /** What was sent, or so far. */
  sentEvidence(): BodyReading {
    if (this.#sent !== undefined) return this.#sent;
    const sent = this.requestBody?.evidence(this.isSent) ?? {};
    if (this.isSent) this.#sent = sent;
    return sent;
  }

  answerEvidence(): BodyReading {
    return this.responseBody?.evidence(this.isAnswered) ?? {};
  }

  /** The provider ended its response in the middle. */
  get isBrokenOff(): boolean {
    const isEnd = ({ rule }: CallBreach): boolean => Object.values<string>(unfinishedRules).includes(rule);
    return !this.isDisturbed && this.breaches.some(isEnd);
  }

  /** What the answer of a model came to; undefined for any other. */
  endTurn(): SeenTurn | undefined {
    if (this.turn?.isCompressed && this.responseBody instanceof KeptBody) {
      const body = this.responseBody.whole();
      if (body !== undefined) this.turn.pushDecoded(body);
    }
    if (this.isAnswered) return this.turn?.end('end');
    return this.turn?.end(this.isDisturbed || this.isBrokenOff ? 'cut' : 'left');
  }

  /** One part, or one for each call of a batch. */
  divide(nextCrossing: () => number): readonly CallPart[] {
    const calls = this.#rpcCalls();
    this.parts =
      calls.length === 0
        ? [{ crossing: this.crossing }]
        : calls.map((rpc, index) => ({ crossing: index === 0 ? this.crossing : nextCrossing(), rpc }));
    return this.parts;
  }

  /** The parts that have not been reported; one for a request that is still being sent. */
  openParts(): readonly CallPart[] {
    if (this.parts !== undefined) return this.parts.filter(({ isReported }) => !isReported);
    const [rpc] = this.#rpcCalls();
    return [{ crossing: this.crossing, ...(rpc === undefined ? {} : { rpc }) }];
  }

  #rpcCalls(): readonly RpcCall[] {
    const sent = this.sentEvidence();
    const body = messageIn(sent, this.request);
    if (body !== undefined) return rpcCallsIn(body);
    const begun = sent.text === undefined ? undefined : rpcBeginning(sent.text);
    return begun === undefined ? [] : [begun];
  }
}

/** The protocol message in a body, even where that is declared as something else, or has a duplicate key. */
export function messageIn(
  { json, text }: BodyReading,
  head: Pick<RequestHead, 'headers'> | undefined,
): unknown {
  if (json !== undefined || text === undefined) return json;
  const isJson = mediaKind(head?.headers['content-type']) === 'json' || text.includes('"jsonrpc"');
  return isJson ? looseJson(text) : undefined;
}
