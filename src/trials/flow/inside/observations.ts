/** Everything that a flow can look at: awaited it looks now, given to a check it is looked at later. */
import type { FlowContext, Observation } from '../flow-context.ts';
import type { Watched } from '../flow-message.ts';
import { durationText, type FlowDesk, refuseUnknownOptions } from './flow-desk.ts';
import type { FlowCall } from './performer-line.ts';
import { plainPattern } from './plain-copy.ts';

export function observationsOf(
  desk: FlowDesk,
): Pick<FlowContext, 'rows' | 'files' | 'logs' | 'events' | 'process' | 'calls' | 'changes'> {
  const see = <Value>(kind: Watched['kind'], raw: Watched['raw']): Observation<Value> => {
    const given = Object.entries(raw).filter(([, value]) => value !== undefined);
    const plain = plainPattern(Object.fromEntries(given), `what is asked of ${kind}`) as Watched['raw'];
    return new LazyObservation(desk, { kind, raw: plain });
  };
  return {
    rows: (table, where, options) => see('rows', { rows: table, where, ...options }),
    files: (service, options) => see('files', { files: service, ...options }),
    logs: (service, options) => see('logs', { logs: service, ...options }),
    events: (service, options) => see('events', { events: service, ...options }),
    process: (service) => see('process', { process: service }),
    calls: (edge, where) => see('calls', { calls: edge, where }),
    changes: (kinds) => see('changes', { changes: kinds }),
  };
}

class LazyObservation<Value> implements Observation<Value> {
  readonly #desk: FlowDesk;
  readonly #watched: Watched;
  /** Whoever awaits it is not on the stack any more when it looks. */
  readonly #call: FlowCall;

  constructor(desk: FlowDesk, watched: Watched) {
    this.#desk = desk;
    this.#watched = watched;
    this.#call = desk.call();
    desk.watches(this, watched);
  }

  then<Kept = Value, Lost = never>(
    onFulfilled?: ((value: Value) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    return this.#look().then(onFulfilled, onRejected);
  }

  until(pattern: unknown, options?: { readonly within?: string }): Promise<Value> {
    return untilSeen(this.#desk, this.#watched, pattern, options);
  }

  async #look(): Promise<Value> {
    const desk = this.#desk;
    return desk.received(await desk.line.ask({ do: 'look', watched: this.#watched }, this.#call));
  }
}

export async function untilSeen<Value>(
  desk: FlowDesk,
  watched: Watched,
  pattern: unknown,
  options: { readonly within?: string } = {},
): Promise<Value> {
  refuseUnknownOptions(options, ['within'], '`until`');
  const answer = await desk.line.ask(
    {
      do: 'until',
      watched,
      pattern: plainPattern(pattern, 'what is waited for'),
      within: durationText(options.within),
    },
    desk.call(),
  );
  return desk.received(answer);
}
