/** Everything that a flow can observe: awaited, it samples now; passed to a check, it is sampled later. */
import { checkKinds } from '../../../kinds/check-kinds.ts';
import type { Observation } from '../../../kinds/kind/flow-method.ts';
import type { Watched } from '../flow-message.ts';
import { durationText, type FlowDesk, refuseUnknownOptions } from './flow-desk.ts';
import type { FlowCall } from './performer-line.ts';
import { plainPattern } from './plain-copy.ts';

/** A method for each kind of check that has one. */
export function observationsOf(desk: FlowDesk): object {
  const methods = Object.entries(checkKinds).flatMap(([kind, { flow }]) =>
    flow
      ? [
          [
            kind,
            (...given: readonly never[]) => {
              refuseUndefined(kind, given);
              return see(desk, kind, flow(...given));
            },
          ] as const,
        ]
      : [],
  );
  return Object.fromEntries(methods);
}

/** What is undefined would be left out, and more would be seen than was asked for; an argument may be skipped for a later one. */
function refuseUndefined(kind: string, given: readonly unknown[]): void {
  for (const [index, argument] of given.entries())
    if (argument !== undefined || index === given.length - 1)
      plainPattern(argument, `argument ${index + 1} of ${kind}`);
}

function see(desk: FlowDesk, kind: string, written: Watched['raw']): Observation<unknown> {
  const given = Object.entries(written).filter(([, value]) => value !== undefined);
  const plain = plainPattern(Object.fromEntries(given), `what is asked of ${kind}`) as Watched['raw'];
  return new LazyObservation(desk, { kind, raw: plain });
}

class LazyObservation<Value> implements Observation<Value> {
  readonly #desk: FlowDesk;
  readonly #watched: Watched;
  /** The awaiting code is no longer on the stack when it samples. */
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
