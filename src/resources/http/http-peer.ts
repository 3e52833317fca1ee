/** A scripted third party: answers by its script, reports what was not scripted, and calls back. */
import type { Emit } from '../../journal/event.ts';
import type { PeerCalled } from '../../journal/peer-event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { fillEarly, mapTexts } from '../../kernel/references.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { HttpPeerSpec } from '../../system/system.ts';
import { type AttemptEnded, type PeerPart, type ScriptedPeer, wholeAttempt } from '../resource.ts';
import { MissingValue, ScriptValues, type StepGave } from '../script-values.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { CallbackDesk } from './callback-desk.ts';
import type { FallbackResponder, FallbackResponders } from './fallback-responder.ts';
import { peerLimits } from './peer-limits.ts';
import type { PeerAnswer } from './peer-line.ts';
import { type PeerRequest, viewRequest } from './peer-request.ts';
import { type FoundLine, PeerScript } from './peer-script.ts';

export interface HttpPeerOptions {
  readonly spec: HttpPeerSpec;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly fallbackResponders: FallbackResponders;
  /** Fills in `${…}` as this peer sees it. */
  resolve(text: string): string;
}

/** From one beginning of an attempt to the next. */
interface Act {
  readonly script: PeerScript;
  readonly values: ScriptValues;
  readonly desk: CallbackDesk;
  /** Answers what no line matches; if absent, such requests are refused. */
  readonly fallback: FallbackResponder | undefined;
  /** Ends the waiting of answers that are late. Replaced when an attempt has ended. */
  patience: AbortController;
}

export class HttpPeer implements ScriptedPeer {
  readonly #options: HttpPeerOptions;
  #act: Act;

  constructor(options: HttpPeerOptions) {
    this.#options = options;
    this.#act = this.#prepare(undefined, options.fallbackResponders.between());
  }

  get isBusy(): boolean {
    return this.#act.desk.isBusy;
  }

  async begin(part: PeerPart): Promise<void> {
    const former = this.#act;
    this.#act = this.#prepare(part.script, await this.#options.fallbackResponders.play(part));
    await close(former);
  }

  learn(gave: StepGave): void {
    this.#act.values.learn(gave);
  }

  unused(): number {
    const { script, fallback } = this.#act;
    return script.owed() + (fallback?.unused?.() ?? 0);
  }

  async settle(ended: AttemptEnded = wholeAttempt): Promise<void> {
    const act = this.#act;
    await close(act);
    act.patience = new AbortController();
    const { spec, emit } = this.#options;
    for (const { number, what } of act.script.unused())
      emit({ type: 'peer.unused', resource: spec.name, caller: '*', line: number, what });
    await act.fallback?.settle(ended);
  }

  async stop(): Promise<void> {
    await close(this.#act);
    this.#options.fallbackResponders.close();
  }

  async answer(caller: string, asked: WireRequest, reply: WireReply): Promise<void> {
    const act = this.#act;
    const report = this.#formatter(caller, asked);
    if (asked.tooLarge)
      return refuse(reply, report, 413, `${asked.method} ${asked.path} has a body that is too large`);
    const request = viewRequest(asked);
    const found = await this.#find(act, request, reply);
    if (!found && act.fallback)
      return report(await act.fallback.answer({ caller, wire: asked, reply, patience: act.patience.signal }));
    if (!found) return this.#sayUnscripted(act, request, reply, report);
    const line = { line: found.number, ...(found.isStanding ? { standing: true as const } : {}) };
    try {
      const { answer = {}, callbacks = [] } = found.line;
      const seen = { ...request, params: found.gaps(request) };
      if (found.isTemplate) await act.values.wait(answer, AbortSignal.any([act.patience.signal, reply.gone]));
      const status = await this.#say(found.isTemplate ? act.values.fill(answer, seen) : answer, act, reply);
      report({ status, ...line });
      act.desk.launch(callbacks.slice(0, peerLimits.callbacks), { caller, request: seen, line });
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      refuse(reply, report, 501, `the answer of ${titleOf(found)} cannot be made: ${error.message}`, line);
    }
  }

  async #find(
    { script, values, patience }: Act,
    request: PeerRequest,
    reply: WireReply,
  ): Promise<FoundLine | undefined> {
    const found = script.take(request);
    if (found === undefined || !('undecided' in found)) return found;
    await values.wait(found.undecided.where, AbortSignal.any([patience.signal, reply.gone]));
    return script.take(request, true) as FoundLine | undefined;
  }

  /** Returns the status that was sent; 0 where none was. */
  async #say(answer: PeerAnswer, act: Act, reply: WireReply): Promise<number> {
    const { status = 200, headers = {}, json, text = '', afterMs, instead } = answer;
    const isInTime = afterMs === undefined || (await this.#wait(afterMs, act, reply));
    if (reply.isGone) return 0;
    if (instead !== undefined || !isInTime) {
      reply.breakOff(instead === undefined || instead === 'close' ? 'fin' : instead);
      return 0;
    }
    const body = json === undefined ? String(text) : JSON.stringify(json);
    const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json';
    const hasType = body === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    reply.send(status, { ...(hasType ? {} : { 'content-type': type }), ...texts }, body);
    return status;
  }

  /** Whether the time came before the consumer went, and before the attempt was over. */
  async #wait(ms: number, { patience }: Act, reply: WireReply): Promise<boolean> {
    const signal = AbortSignal.any([patience.signal, reply.gone]);
    await this.#options.clock.sleep(ms, signal).catch(() => undefined); // the signal is asked next
    return !signal.aborted;
  }

  #sayUnscripted(act: Act, request: PeerRequest, reply: WireReply, report: Report): void {
    const { name } = this.#options.spec;
    const { method, path, query, json, form, text } = request;
    const what = `${method} ${path} is not scripted for ${name}`;
    const body = json ?? form ?? (text === '' ? undefined : text);
    const asked = {
      method,
      path,
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(body === undefined ? {} : { body: printValue(body, peerLimits.printedChars) }),
    };
    const declared = act.script.explain(request);
    reply.send(
      501,
      { 'content-type': 'application/json' },
      `${JSON.stringify({ error: { type: 'unscripted', message: what, asked, declared } }, undefined, 2)}\n`,
    );
    const lines = declared.length === 0 ? 'nothing is declared' : `declared: ${declared.join('; ')}`;
    report({ status: 501, fault: { kind: 'unscripted', what: `${what}; ${lines}` } });
  }

  #formatter(caller: string, { method, target }: WireRequest): Report {
    const { spec, emit } = this.#options;
    return (rest) =>
      emit({ type: 'peer.called', resource: spec.name, caller, method, path: target, ...rest });
  }

  #prepare(lines: unknown, fallback: FallbackResponder | undefined): Act {
    const { spec, clock, emit, resolve } = this.#options;
    const values = new ScriptValues(clock);
    const named = (): ReadonlyMap<string, string> =>
      new Map(Object.entries(spec.callbacks).map(([name, address]) => [name, resolve(address)]));
    const keepRequests = (text: string): unknown => fillEarly(text, (head) => head === 'request', resolve);
    return {
      script: new PeerScript({
        where: `resource ${spec.name}`,
        lines,
        standing: spec.standing.map((line) => mapTexts(line, keepRequests)),
        values,
      }),
      values,
      desk: new CallbackDesk({
        resource: spec.name,
        clock,
        emit,
        addresses: () => ({ named: named() }),
        values,
      }),
      fallback,
      patience: new AbortController(),
    };
  }
}

type Report = (rest: Pick<PeerCalled, 'status' | 'line' | 'standing' | 'by' | 'fault'>) => void;

async function close({ desk, patience }: Act): Promise<void> {
  patience.abort();
  await desk.end();
}

function refuse(
  reply: WireReply,
  report: Report,
  status: number,
  what: string,
  line: Partial<Parameters<Report>[0]> = {},
): void {
  const body = JSON.stringify({ error: { type: 'unscripted', message: what } });
  reply.send(status, { 'content-type': 'application/json' }, `${body}\n`);
  report({ status, ...line, fault: { kind: 'unscripted', what } });
}

function titleOf({ number, isStanding }: FoundLine): string {
  return `${isStanding ? 'standing line' : 'line'} ${number}`;
}
