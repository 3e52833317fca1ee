/** What all parts of a flow's context share: the line to the performer, the place of a call, and where values came from. */
import { parseDuration } from '../../../kernel/duration.ts';
import type { Origin, Watched } from '../flow-message.ts';
import { callPlace } from './call-place.ts';
import type { Answered, FlowCall, PerformerLine } from './performer-line.ts';

export interface FlowDesk {
  readonly line: PerformerLine;
  /** The place in the flow from which the context was called just now. */
  call(): FlowCall;
  /** What an answer holds, frozen: evidence is not changed by whoever judges it. */
  received<Value>(answer: Answered): Value;
  originOf(value: unknown): Origin | undefined;
  /** Makes of an object something that can be looked at. */
  watches(thing: object, watched: Watched): void;
  watchedBy(thing: unknown): Watched | undefined;
}

export function createFlowDesk(line: PerformerLine, file: string): FlowDesk {
  const origins = new WeakMap<object, Origin>();
  const watched = new WeakMap<object, Watched>();
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return {
    line,
    call: () => {
      const here = new Error('here');
      return { line: callPlace(here, file)?.line ?? 1, stack: here.stack };
    },
    received: <Value>({ value, origin }: Answered): Value => {
      if (isObject(value) && origin) origins.set(value, origin);
      return freeze(value) as Value;
    },
    originOf: (value) => (isObject(value) ? origins.get(value) : undefined),
    watches: (thing, what) => void watched.set(thing, what),
    watchedBy: (thing) => (isObject(thing) ? watched.get(thing) : undefined),
  };
}

/** The text as it is, when it is a duration. */
export function durationText(within: unknown): string | undefined {
  if (within === undefined) return undefined;
  if (typeof within === 'string' && (parseDuration(within) ?? 0) > 0) return within;
  throw new TypeError(
    `\`within\` is ${JSON.stringify(within)}; allowed: a duration such as '250ms', '15s' or '2m'`,
  );
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}
