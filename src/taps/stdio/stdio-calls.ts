/** The calls in the lines between a consumer and a tool server: each request with its answer, and what was wrong with either. */
import type { CallBreach, CallEvent, CallFault, CallMessage } from '../../journal/call-event.ts';
import { judgeMcpLine, type LineDirection } from '../../protocols/mcp/judge-mcp-line.ts';
import { callLimits } from '../calls/call-limits.ts';
import { readJson } from '../calls/read-json.ts';
import { rpcBeginning } from '../calls/rpc-beginning.ts';
import { cancelledKey, type RpcAnswer, type RpcCall, rpcAnswersIn, rpcCallsIn } from '../calls/rpc-calls.ts';
import type { SeenLine } from './line-watch.ts';
import type { StdioRelayOptions } from './relay-stdio.ts';

type CallsOptions = Pick<StdioRelayOptions, 'from' | 'to' | 'emit' | 'clock' | 'at'>;

interface OpenCall {
  readonly crossing: number;
  readonly rpc: RpcCall;
  readonly request: CallMessage;
  readonly startedAt: number;
  readonly isLarge: boolean;
  faults: readonly CallBreach[];
  /** When its consumer took it back. */
  cancelledAt?: number;
}

/** Breaches of one call that are told. */
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
    this.#epoch = options.at === undefined ? 0 : options.clock.monotonic() - options.at();
  }

  /** A line of the consumer: requests, notifications, answers to what the server asked. */
  asked(line: SeenLine): void {
    const { json, breaches, message } = readLine(line, 'to-server');
    const begun = json === undefined ? rpcBeginning(line.bytes.toString('utf8')) : undefined;
    const calls = begun === undefined ? rpcCallsIn(json) : [begun];
    if (calls.length === 0) this.#keep(breaches);
    for (const [index, rpc] of calls.entries()) {
      const own = index === 0 ? [...this.#stray.splice(0), ...breaches] : [];
      const call = this.#begin(rpc, message, line.isCut, own);
      this.#cancel(cancelledKey(rpc));
      if (rpc.key === undefined && !rpc.isPartial) this.#tell(call);
      else this.#open.push(call);
    }
    while (this.#open.length > callLimits.awaited)
      this.#tell(this.#open.shift() as OpenCall, { incomplete: 'unanswered' });
  }

  /** A line of the server: answers, notifications, what it asks, or noise. */
  answered(line: SeenLine): void {
    const { json, breaches, message } = readLine(line, 'to-client');
    const answers = rpcAnswersIn(json);
    const calls = answers.flatMap((answer) => this.#take(answer) ?? []);
    const [first] = calls;
    if (first === undefined) this.#keep(breaches);
    for (const { call, said } of calls) {
      if (call === first?.call) call.faults = [...call.faults, ...breaches];
      this.#tell(call, { said, response: message });
    }
  }

  views(): readonly CallEvent[] {
    return this.#open.map((call) => this.#event(call, { incomplete: 'in-flight' }));
  }

  /** The server has said its last word: no answer can come. */
  cut(): void {
    for (const call of this.#open.splice(0))
      if (call.cancelledAt === undefined) this.#tell(call, { incomplete: 'cut' });
  }

  /** Nothing more will be said. */
  close(): void {
    this.cut();
    if (this.#stray.length === 0) return;
    const rpc = { method: '?' };
    this.#tell(this.#begin(rpc, { headers: {}, bytes: 0 }, false, this.#stray.splice(0)));
  }

  #begin(rpc: RpcCall, request: CallMessage, isLarge: boolean, faults: readonly CallBreach[]): OpenCall {
    this.#crossings += 1;
    const startedAt = this.#now();
    return { crossing: this.#crossings, rpc, request, startedAt, isLarge, faults };
  }

  /** It is told at once, because it may never be answered; and once more if it is. */
  #cancel(key: string | undefined): void {
    const call = key === undefined ? undefined : this.#open.find(({ rpc }) => rpc.key === key);
    if (call === undefined) return;
    call.cancelledAt ??= this.#now();
    this.#tell(call);
  }

  #take({ key, said }: RpcAnswer): { readonly call: OpenCall; readonly said: RpcAnswer['said'] } | undefined {
    const at = this.#open.findIndex(({ rpc }) => rpc.key === key);
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    return call && { call, said };
  }

  /** With the call that is waited for, or else with the next; one that was cancelled is told already. */
  #keep(breaches: readonly CallBreach[]): void {
    const oldest = this.#open.find(({ cancelledAt }) => cancelledAt === undefined);
    if (oldest === undefined) this.#stray = [...this.#stray, ...breaches].slice(0, mostBreaches);
    else oldest.faults = [...oldest.faults, ...breaches].slice(0, mostBreaches);
  }

  #tell(call: OpenCall, end: CallEnd = {}): void {
    this.#options.emit(this.#event(call, end));
  }

  #event(call: OpenCall, { said, response, incomplete }: CallEnd): CallEvent {
    const { from, to } = this.#options;
    const { rpc, isLarge } = call;
    const cancelledAt = said === undefined ? call.cancelledAt : undefined;
    const isCancelled = cancelledAt !== undefined;
    const why = isCancelled ? 'cancelled' : (incomplete ?? (isLarge ? 'too-large' : undefined));
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
      ...said,
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
  readonly said?: RpcAnswer['said'];
  readonly response?: CallMessage;
  readonly incomplete?: CallFault;
}

interface ReadLine {
  readonly json?: unknown;
  readonly breaches: readonly CallBreach[];
  readonly message: CallMessage;
}

/** Of a line that is not there as a whole nothing is said. */
function readLine({ bytes, length, isCut }: SeenLine, direction: LineDirection): ReadLine {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  const read = isCut ? undefined : readJson(text);
  const body = read ?? { text: text.slice(0, callLimits.bodyBytes) };
  return {
    ...read,
    breaches: isCut ? [] : judgeMcpLine(bytes, direction),
    message: { headers: {}, ...(length === 0 ? {} : body), bytes: length },
  };
}
