/** The calls of one edge: numbers them, counts those in flight, and reports each when it is over. */
import {
  type CallBreach,
  type CallEvent,
  type CallFault,
  listeners,
  noMethod,
} from '../../journal/call-event.ts';
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import { EventEvidence } from '../../protocols/sse/event-evidence.ts';
import type { SseEvent } from '../../protocols/sse/sse-parser.ts';
import { AnswerStream, answersIn, plainTarget, type Said } from './answer-streams.ts';
import { callLimits } from './call-limits.ts';
import { unfinishedCoding } from './http-breach.ts';
import { McpBreaches } from './mcp-breaches.ts';
import { type CallPart, messageIn, PassingCall } from './passing-call.ts';
import { cancelledKey, type RpcCall, rpcAnswersIn } from './rpc-calls.ts';
import { toCallEvent } from './to-call-event.ts';
import { watchTurn } from './turn-watch.ts';

export interface EdgeCallsOptions {
  readonly from: string;
  readonly to: string;
  readonly emit: Emit;
  readonly clock: Clock;
  /** The journal's time; that of the clock when absent. */
  readonly at?: (moment?: number) => number;
}

export class EdgeCalls {
  /** Requests whose response, or whose answer on another connection, is not complete. */
  inFlight = 0;
  readonly #options: EdgeCallsOptions;
  /** What the clock showed at the journal's first moment. */
  readonly #epoch: number;
  readonly #streams = new Map<string, AnswerStream>();
  /** Calls that have not been reported, or not all of their parts. */
  readonly #unreported = new Set<PassingCall>();
  /** Calls that were answered with nothing but a receipt. */
  readonly #awaited = new Set<CallPart>();
  readonly #mcp = new McpBreaches();
  #crossings = 0;

  constructor(options: EdgeCallsOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#epoch = options.at === undefined ? 0 : now - options.at(now);
  }

  /** The head of a request has passed. */
  begin(connection: number, head: RequestHead, startedAt: number): PassingCall {
    const call = new PassingCall(this.#nextCrossing(), connection, head, startedAt);
    this.inFlight += 1;
    this.#unreported.add(call);
    return call;
  }

  /** Something unreadable passed on a connection; it began when the last of it passed, and its end is not awaited. */
  sawUnread(connection: number, now: number, earlier: PassingCall | undefined): PassingCall {
    const unread = earlier ?? this.begin(connection, unreadHead, now);
    this.#uncount(unread);
    unread.startedAt = now;
    return unread;
  }

  /** What has passed so far of open calls, including streams of events. Each is reported again when it is over. */
  views(): readonly CallEvent[] {
    const now = this.#options.clock.monotonic();
    return [...this.#unreported].flatMap((call) => {
      const incomplete = call.request === unreadHead ? 'not-http' : 'in-flight';
      return call.openParts().map((part) => this.#view(call, part, call.answerEvidence(), now, incomplete));
    });
  }

  /** The whole request has passed. From now on its answer may come, on whatever connection. */
  sent(call: PassingCall): void {
    const parts = this.#divide(call);
    for (const { rpc } of parts) this.#cancel(call, rpc && cancelledKey(rpc));
    if (this.#streams.size === 0) return;
    const stream = this.#streams.get(plainTarget(call.request.target) ?? '');
    if (stream === undefined) return;
    for (const part of parts) {
      if (part.rpc?.key === undefined) continue;
      part.forget = stream.expect(part.rpc.key, (said) => {
        delete part.forget;
        if (said === undefined) part.isLost = true;
        else part.said = said;
        part.onSaid?.(said);
      });
    }
  }

  /** The head of the response has passed. */
  answered(call: PassingCall): void {
    const { response } = call;
    if (response === undefined) return;
    const { headers } = response;
    call.turn = watchTurn(call.request, response, call.isSent ? call.sentEvidence().json : undefined);
    if (mediaKind(headers['content-type']) !== 'events') return;
    const isGet = call.request.method === 'GET';
    if (listeners.includes(call.openParts()[0]?.rpc?.method ?? call.request.method)) this.#uncount(call);
    if (headers['content-encoding'] !== undefined) return;
    const stream = isGet ? new AnswerStream(this.#streams, call.request.target) : undefined;
    call.stream = stream;
    const isHeard = stream !== undefined || !call.isSent || call.parts?.[0]?.rpc !== undefined;
    const onEvent = (event: SseEvent): void => {
      stream?.heard(event);
      if (call.parts?.[0]?.rpc !== undefined) lift(call, answersIn(event));
    };
    call.responseBody = new EventEvidence(callLimits.ofEvents, isHeard ? onEvent : undefined);
  }

  /** Request and response are complete. */
  complete(call: PassingCall, now: number): void {
    const answer = this.#close(call);
    const parts = this.#divide(call);
    if (parts[0]?.rpc !== undefined) liftAll(call, answer);
    const breach = call.isDisturbed ? undefined : unfinishedCoding(call, answer);
    if (breach !== undefined) call.breaches = [...call.breaches, breach];
    for (const part of parts) {
      const isUnsaid = part.said === undefined && isReceipt(call);
      if (isUnsaid && part.forget !== undefined && this.#awaited.size < callLimits.awaited)
        this.#await(call, part, answer);
      else this.#report(call, part, answer, now, breach || (isUnsaid && part.isLost) ? 'cut' : undefined);
    }
  }

  /** Nothing more of this call will pass on its connection. Events after an answer say nothing more about its call. */
  broken(call: PassingCall, now: number, incomplete: CallFault): void {
    const answer = this.#close(call);
    for (const part of this.#divide(call))
      this.#report(call, part, answer, now, incomplete === 'cut' && part.said ? undefined : incomplete);
  }

  /** The edge goes down: what still waits is reported as it is. */
  close(): void {
    for (const part of [...this.#awaited]) part.onSaid?.(undefined);
  }

  /** No longer awaited: a compliant server does not answer it. If ambiguous which one is meant, all are awaited. */
  #cancel({ request }: PassingCall, key: string | undefined): void {
    if (key === undefined) return;
    const [found, ...others] = [...this.#unreported]
      .filter((call) => sessionOf(call.request) === sessionOf(request))
      .flatMap((call) => call.openParts().map((part) => ({ call, part })))
      .filter(({ part }) => part.rpc?.key === key && part.said === undefined);
    if (found === undefined || others.length > 0) return;
    found.part.cancelledAt = this.#options.clock.monotonic();
    if (found.call.openParts().every(({ cancelledAt }) => cancelledAt !== undefined))
      this.#uncount(found.call);
  }

  #divide(call: PassingCall): readonly CallPart[] {
    return call.parts ?? call.divide(() => this.#nextCrossing());
  }

  #nextCrossing(): number {
    this.#crossings += 1;
    return this.#crossings;
  }

  /** Ends the stream of the response, if it was one, and returns what is kept of the response. */
  #close(call: PassingCall): BodyReading {
    call.stream?.end();
    return call.answerEvidence();
  }

  #await(call: PassingCall, part: CallPart, answer: BodyReading): void {
    const { clock } = this.#options;
    const settle = (said: Said | undefined, otherwise: CallFault): void => {
      cancel();
      this.#awaited.delete(part);
      this.#report(call, part, answer, clock.monotonic(), said === undefined ? otherwise : undefined);
    };
    const cancel = clock.after(callLimits.answerWithinMs, () => settle(undefined, 'unanswered'));
    part.onSaid = (said) => settle(said, 'cut');
    this.#awaited.add(part);
  }

  #report(
    call: PassingCall,
    part: CallPart,
    answer: BodyReading,
    now: number,
    incomplete: CallFault | undefined,
  ): void {
    part.forget?.();
    delete part.onSaid;
    part.isReported = true;
    if (call.parts?.every(({ isReported }) => isReported)) {
      this.#uncount(call);
      this.#unreported.delete(call);
    }
    this.#options.emit(this.#view(call, part, answer, now, incomplete));
  }

  #view(
    call: PassingCall,
    part: CallPart,
    answer: BodyReading,
    now: number,
    incomplete: CallFault | undefined,
  ): CallEvent {
    const { from, to } = this.#options;
    const isOver = incomplete !== 'in-flight';
    const cancelledAt = part.said === undefined && !isRefused(call) ? part.cancelledAt : undefined;
    const why = cancelledAt === undefined ? incomplete : 'cancelled';
    return toCallEvent(call, part, {
      from,
      to,
      startedAt: this.#onJournal(call.startedAt),
      endedAt: this.#onJournal(cancelledAt ?? now),
      incomplete: why,
      answer,
      turn: isOver ? call.endTurn() : call.turn?.soFar(),
      faults: isOver && part === call.parts?.[0] ? this.#faults(call, answer, why) : [],
    });
  }

  /** A response that a rule has changed is not held against the provider. */
  #faults(call: PassingCall, answer: BodyReading, incomplete: CallFault | undefined): readonly CallBreach[] {
    const faults = [...call.breaches, ...this.#mcp.judge(call, answer, incomplete)];
    return call.isDisturbed ? faults.filter(({ by }) => by === 'consumer') : faults;
  }

  #uncount(call: PassingCall): void {
    if (call.isCounted) this.inFlight -= 1;
    call.isCounted = false;
  }

  #onJournal(time: number): number {
    return Math.round((time - this.#epoch) * 1_000) / 1_000;
  }
}

function liftAll(call: PassingCall, answer: BodyReading): void {
  const events = answer.events?.map(({ data }) => data) ?? [];
  for (const data of [messageIn(answer, call.response), ...events]) lift(call, rpcAnswersIn(data));
}

/** Gives answers to the calls that they answer. */
function lift({ parts }: PassingCall, answers: ReturnType<typeof answersIn>): void {
  for (const { key, said } of answers) {
    const part = parts?.find(
      ({ rpc, said: before }) => before === undefined && (rpc?.key === key || isWithoutId(rpc)),
    );
    if (part !== undefined) part.said = said;
  }
}

/** The placeholder for a request that cannot be read. */
export const unreadHead: RequestHead = { method: noMethod, target: noMethod, minor: 1, headers: {} };

/** Ids are unique in it. */
function sessionOf({ target, headers }: RequestHead): string {
  return `${plainTarget(target)} ${headers['mcp-session-id']}`;
}

/** Its id came too late to be kept; such a call is the only one of its request, so that an answer can only be its own. */
function isWithoutId(rpc: RpcCall | undefined): boolean {
  return rpc?.isPartial === true && rpc.key === undefined;
}

function isRefused({ response, isAnswered }: PassingCall): boolean {
  return isAnswered && response !== undefined && response.status >= 400;
}

/** A refusal is the answer; anything else may be only a receipt, with the answer to come elsewhere. */
function isReceipt({ response }: PassingCall): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}
