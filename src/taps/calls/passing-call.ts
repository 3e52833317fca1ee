/** One request and its response while they pass. */
import type { CallBreach } from '../../journal/call-event.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import type { AnswerStream, Said } from './answer-streams.ts';
import { type BodyEvidence, KeptBody } from './kept-body.ts';
import type { KeptEvents } from './kept-events.ts';
import { rpcBeginning } from './rpc-beginning.ts';
import { type RpcCall, rpcCallsIn } from './rpc-calls.ts';
import type { SeenTurn, TurnWatch } from './turn-watch.ts';

/** What becomes one event of the journal: the whole request, or one call of its batch. */
export interface CallPart {
  readonly crossing: number;
  readonly rpc?: RpcCall;
  said?: Said;
  /** Takes back what an answer stream was asked. */
  forget?: () => void;
  /** That stream has ended without it. */
  isLost?: true;
  /** When its consumer took it back: it need not be answered any more. */
  cancelledAt?: number;
  isTold?: true;
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
  responseBody: KeptBody | KeptEvents | undefined;
  isAnswered = false;
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
  #sent: BodyEvidence | undefined;
  #fresh: Uint8Array[] = [];

  constructor(crossing: number, connection: number, request: RequestHead, startedAt: number) {
    this.crossing = crossing;
    this.connection = connection;
    this.request = request;
    this.startedAt = startedAt;
  }

  addToRequest(bytes: Uint8Array): void {
    this.requestBody ??= new KeptBody(this.request.headers);
    this.requestBody.add(bytes);
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
    if ('add' in this.responseBody) this.responseBody.add(bytes);
    else this.responseBody.push(bytes, now);
    this.turn?.push(bytes);
  }

  /** What was sent, or so far. */
  sentEvidence(): BodyEvidence {
    if (this.#sent !== undefined) return this.#sent;
    const sent = this.requestBody?.evidence() ?? {};
    if (this.isSent) this.#sent = sent;
    return sent;
  }

  answerEvidence(): BodyEvidence {
    return this.responseBody?.evidence() ?? {};
  }

  /** What the answer of a model came to; undefined for any other. */
  endTurn(how: 'end' | 'cut'): SeenTurn | undefined {
    if (this.turn?.isCompressed && this.responseBody instanceof KeptBody) {
      const body = this.responseBody.whole();
      if (body !== undefined) this.turn.pushDecoded(body);
    }
    return this.turn?.end(how);
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

  /** The parts that have not been told; of a request that is still being sent, one. */
  openParts(): readonly CallPart[] {
    if (this.parts !== undefined) return this.parts.filter(({ isTold }) => !isTold);
    const [rpc] = this.#rpcCalls();
    return [{ crossing: this.crossing, ...(rpc === undefined ? {} : { rpc }) }];
  }

  #rpcCalls(): readonly RpcCall[] {
    const { json, text, tooLarge } = this.sentEvidence();
    if (json !== undefined) return rpcCallsIn(json);
    const isWhole = this.isSent && !tooLarge;
    const begun = isWhole || text === undefined ? undefined : rpcBeginning(text);
    return begun === undefined ? [] : [begun];
  }
}
