/** Sends the callbacks of a third party after an answer, each at its time, and reports their outcome. */
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ScriptValues } from '../script-values.ts';
import { peerLimits } from './peer-limits.ts';
import type { PeerCallback } from './peer-line.ts';
import type { PeerRequest } from './peer-request.ts';
import {
  type CallbackAddresses,
  type CallOutcome,
  type OutgoingCall,
  prepareCall,
  sendCallback,
} from './send-callback.ts';

export interface DeskOptions {
  readonly resource: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly values: ScriptValues;
  /** Asked when a callback is due. */
  addresses(): CallbackAddresses;
}

/** The request that a callback follows. */
export interface CallbackCause {
  readonly caller: string;
  readonly request: PeerRequest;
  readonly line: { readonly line: number; readonly standing?: true };
}

export class CallbackDesk {
  readonly #options: DeskOptions;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  /** Those with the same delay go out one after the other, in their order; different delays do not wait for each other. */
  launch(callbacks: readonly PeerCallback[], cause: CallbackCause): void {
    for (const [afterMs, group] of Map.groupBy(callbacks, ({ afterMs: ms = 0 }) => ms)) {
      if (this.#underWay.size >= peerLimits.pendingCallbacks) {
        for (const callback of group) this.#report(callback, cause, undefined, { failed: tooMany });
        continue;
      }
      const work = this.#sendGroup(afterMs, group, cause);
      this.#underWay.add(work);
      void work.finally(() => this.#underWay.delete(work));
    }
  }

  /** What has not been sent will not be, and is reported as such. Resolves when nothing is in transit any more. */
  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#underWay);
  }

  async #sendGroup(afterMs: number, group: readonly PeerCallback[], cause: CallbackCause): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#ended;
    if (afterMs > 0) await clock.sleep(afterMs, signal).catch(() => undefined); // asked again before anything is sent
    for (const callback of group) {
      const times = Math.min(callback.times ?? 1, peerLimits.callbackTimes);
      const send = (): Promise<void> => this.#send(callback, cause);
      if (callback.atOnce) await Promise.all(Array.from({ length: times }, send));
      else for (let i = 0; i < times; i += 1) await send();
    }
  }

  async #send(callback: PeerCallback, cause: CallbackCause): Promise<void> {
    const { clock, addresses, values } = this.#options;
    const { signal } = this.#ended;
    if (signal.aborted)
      return this.#report(callback, cause, undefined, { failed: 'the attempt was over before it was sent' });
    let call: OutgoingCall | undefined;
    try {
      await values.wait(callback, signal);
      call = prepareCall(values.fill(callback, cause.request), addresses());
      this.#report(callback, cause, call, await sendCallback(call, clock, signal));
    } catch (error) {
      this.#report(callback, cause, call, { failed: error instanceof Error ? error.message : String(error) });
    }
  }

  #report(
    callback: PeerCallback,
    { caller, line }: CallbackCause,
    call: OutgoingCall | undefined,
    outcome: CallOutcome,
  ): void {
    const { resource, emit } = this.#options;
    const { method = 'POST', path = '/', to } = callback;
    emit({
      type: 'peer.called',
      resource,
      caller,
      method: call?.method ?? method,
      path: call ? `${call.url.pathname}${call.url.search}` : path,
      status: 'status' in outcome ? outcome.status : 0,
      ...line,
      callback: true,
      ...('failed' in outcome
        ? {
            fault: {
              kind: 'undelivered',
              what: `the callback to ${to} was not delivered: ${outcome.failed}`,
            },
          }
        : {}),
    });
  }
}

const tooMany = `more than ${peerLimits.pendingCallbacks} callbacks were waiting`;
