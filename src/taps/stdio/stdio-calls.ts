/** The calls in the lines between a consumer and a tool server: each request with its answer, and what was wrong with either. */
import {
  type CallBreach,
  type CallEvent,
  type CallFault,
  type CallMessage,
  noMethod,
} from '../../journal/call-event.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { looseJson, readJson } from '../../protocols/json-rpc/read-json.ts';
import { judgeMcpLine, type LineDirection } from '../../protocols/mcp/judge-mcp-line.ts';
import type { Said } from '../calls/answer-streams.ts';
import { callLimits } from '../calls/call-limits.ts';
import { idOfCut, isAnswerBeginning, rpcBeginning } from '../calls/rpc-beginning.ts';
import { cancelledKey, keyOf, type RpcCall, rpcAnswersIn, rpcCallsIn } from '../calls/rpc-calls.ts';
import type { SeenLine } from './line-watch.ts';
import type { StdioRelayOptions } from './relay-stdio.ts';

type CallsOptions = Pick<StdioRelayOptions, 'from' | 'to' | 'emit' | 'onBegin' | 'clock' | 'at'>;

interface OpenCall {
  readonly crossing: number;
  readonly rpc: RpcCall;
  readonly request: CallMessage;
  readonly startedAt: number;
  readonly isLarge: boolean;
  faults: readonly CallBreach[];
  /** When its consumer cancelled it. */
  cancelledAt?: number;
}

/** Breaches reported per call. */
const mostBreaches = 20;

export class StdioCalls {
  readonly #options: CallsOptions;
  readonly #epoch: number;
  /** Requests that wait for their answers, the oldest first. */
  #open: OpenCall[] = [];
  /** Breaches in lines that belong to no call that is open. */
  #stray: CallBreach[] = [];
  #crossings = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#epoch = options.at === undefined ? 0 : now - options.at(now);
  }

  /** A line of the consumer: requests, notifications, answers to what the server asked. */
  asked(line: SeenLine): void {
    const { json, breaches, message } = readLine(line, 'to-server');
    const calls = json === undefined ? unreadCalls(line) : rpcCallsIn(json);
    if (calls.length === 0) this.#keep(breaches);
    for (const [index, rpc] of calls.entries()) {
      const own = index === 0 ? [...this.#stray.splice(0), ...breaches] : [];
      const call = this.#begin(rpc, message, line.isCut, own);
      this.#cancel(cancelledKey(rpc));
      if (rpc.key === undefined) this.#report(call);
      else {
        this.#open.push(call);
        this.#options.onBegin?.(this.#event(call, { incomplete: 'in-flight' }));
      }
    }
    while (this.#open.length > callLimits.awaited)
      this.#report(this.#open.shift() as OpenCall, { incomplete: 'unanswered' });
  }

  /** A line of the server: answers, notifications, what it asks, or noise. */
  answered(line: SeenLine): void {
    const { json, breaches, message } = readLine(line, 'to-client');
    const answers = json === undefined ? unreadAnswers(line, breaches) : rpcAnswersIn(json);
    const calls = answers.flatMap((answer) => this.#take(answer) ?? []);
    const [first] = calls;
    if (first === undefined) this.#keep(breaches);
    for (const { call, said } of calls) {
      if (call === first?.call) call.faults = [...call.faults, ...breaches];
      this.#report(call, { said, response: message });
    }
  }

  views(): readonly CallEvent[] {
    return this.#open.map((call) => this.#event(call, { incomplete: 'in-flight' }));
  }

  /** The server has ended its output: no answer can come. If `how` is given, the server itself caused that. */
  cut(how?: string): void {
    const what = `the server ended before it answered: ${how}`;
    for (const call of this.#open.splice(0)) {
      if (call.cancelledAt !== undefined) continue;
      if (how !== undefined) call.faults = [...call.faults, { by: 'provider', rule: 'mcp.ended', what }];
      this.#report(call, { incomplete: 'cut' });
    }
  }

  /** Nothing more will come. */
  close(): void {
    this.cut();
    if (this.#stray.length === 0) return;
    const rpc = { method: noMethod };
    this.#report(this.#begin(rpc, { headers: {}, bytes: 0 }, false, this.#stray.splice(0)));
  }

  #begin(rpc: RpcCall, request: CallMessage, isLarge: boolean, faults: readonly CallBreach[]): OpenCall {
    this.#crossings += 1;
    const startedAt = this.#now();
    return { crossing: this.#crossings, rpc, request, startedAt, isLarge, faults };
  }

  /** It is reported at once, because it may never be answered; and again if it is. */
  #cancel(key: string | undefined): void {
    const call = key === undefined ? undefined : this.#open.find(({ rpc }) => rpc.key === key);
    if (call === undefined) return;
    call.cancelledAt ??= this.#now();
    this.#report(call);
  }

  #take({ key, said }: LineAnswer): { readonly call: OpenCall; readonly said: Said } | undefined {
    const at = this.#open.findIndex(({ rpc }) => rpc.key === key);
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    return call && { call, said };
  }

  /** With the awaited call, or else with the next; a cancelled one has been reported already. */
  #keep(breaches: readonly CallBreach[]): void {
    const oldest = this.#open.find(({ cancelledAt }) => cancelledAt === undefined);
    if (oldest === undefined) this.#stray = [...this.#stray, ...breaches].slice(0, mostBreaches);
    else oldest.faults = [...oldest.faults, ...breaches].slice(0, mostBreaches);
  }

  #report(call: OpenCall, end: CallEnd = {}): void {
    this.#options.emit(this.#event(call, end));
  }

  #event(call: OpenCall, { said, response, incomplete }: CallEnd): CallEvent {
    const { from, to } = this.#options;
    const { rpc, isLarge } = call;
    const cancelledAt = said === undefined ? call.cancelledAt : undefined;
    const isCancelled = cancelledAt !== undefined;
    const isUnkept = said !== undefined && 'tooLarge' in said;
    const why = isCancelled ? 'cancelled' : (incomplete ?? (isLarge || isUnkept ? 'too-large' : undefined));
    return {
      type: 'call',
      from,
      to,
      crossing: call.crossing,
      connection: 1,
      protocol: 'json-rpc',
      method: rpc.method,
      path: 'stdio',
      ...(rpc.params === undefined ? {} : { params: rpc.params }),
      ...(isUnkept ? {} : said),
      request: call.request,
      ...(response === undefined ? {} : { response: { status: 200, ...response } }),
      ...(call.faults.length === 0 ? {} : { faults: call.faults }),
      startedAt: call.startedAt,
      endedAt: cancelledAt ?? this.#now(),
      ...(why === undefined ? {} : { incomplete: why }),
    };
  }

  #now(): number {
    return Math.round((this.#options.clock.monotonic() - this.#epoch) * 1_000) / 1_000;
  }
}

interface CallEnd {
  readonly said?: Said;
  readonly response?: CallMessage;
  readonly incomplete?: CallFault;
}

interface LineAnswer {
  readonly key: string;
  readonly said: Said;
}

/** Of a line that is too large, or nested too deep, to be kept. One too large without a method at its beginning may be any call. */
function unreadCalls({ bytes, isCut, tail }: SeenLine): readonly RpcCall[] {
  const beginning = bytes.toString('utf8');
  const begun = rpcBeginning(beginning);
  if (begun === undefined)
    return isCut && tail.length > 0 && !isAnswerBeginning(beginning) ? [{ method: noMethod }] : [];
  const key = begun.key ?? keyOf(idOfCut(beginning, tail.toString('utf8')));
  return [{ ...begun, ...(key === undefined ? {} : { key }) }];
}

/** What is not a message of the protocol answers nothing; neither does a line that broke off. */
function unreadAnswers(
  { bytes, isCut, tail }: SeenLine,
  breaches: readonly CallBreach[],
): readonly LineAnswer[] {
  if (breaches.length > 0 || (isCut && tail.length === 0)) return [];
  const beginning = bytes.toString('utf8');
  const key = isAnswerBeginning(beginning) ? keyOf(idOfCut(beginning, tail.toString('utf8'))) : undefined;
  return key === undefined ? [] : [{ key, said: { tooLarge: true } }];
}

interface ReadLine {
  readonly json?: unknown;
  readonly breaches: readonly CallBreach[];
  readonly message: CallMessage;
}

/** Nothing is reported for an incomplete line. */
function readLine({ bytes, length, isCut }: SeenLine, direction: LineDirection): ReadLine {
  const text = utf8Text(bytes).replace(/\r$/, '');
  const json = isCut ? undefined : looseJson(text);
  const read = isCut ? undefined : readJson(text);
  const body = read && 'json' in read ? read : { text: text.slice(0, callLimits.bodyBytes) };
  return {
    ...(json === undefined ? {} : { json }),
    breaches: isCut ? [] : judgeMcpLine(bytes, direction),
    message: {
      headers: {},
      ...(length === 0 ? {} : body),
      bytes: length,
      ...(isCut ? { truncated: true } : {}),
    },
  };
}
