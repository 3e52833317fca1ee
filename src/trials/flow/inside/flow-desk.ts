/** Shared by all parts of a flow's context: the channel to the performer, call positions, the origin of values. */

import { parseDuration } from '../../../kernel/duration.ts';
import { ExactNumber, isContainer } from '../../../kernel/exact-json.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { Origin, Watched } from '../flow-message.ts';
import { callPlace } from './call-place.ts';
import type { Answered, FlowCall, PerformerLine } from './performer-line.ts';

export interface FlowDesk {
  readonly line: PerformerLine;
  /** The place in the flow from which the context was called just now. */
  call(): FlowCall;
  /** The content of an answer, frozen: code that judges evidence must not change it. */
  received<Value>(answer: Answered): Value;
  originOf(value: unknown): Origin | undefined;
  /** Turns an object into an observation. */
  watches(thing: object, watched: Watched): void;
  watchedBy(thing: unknown): Watched | undefined;
}

export function createFlowDesk(line: PerformerLine, file: string): FlowDesk {
  const origins = new WeakMap<object, Origin>();
  const watched = new WeakMap<object, Watched>();
  const isObject = (value: unknown): value is object => isContainer(value);
  return {
    line,
    call: () => {
      const here = new Error('here');
      return { line: callPlace(here, file)?.line ?? 1, stack: here.stack };
    },
    received: <Value>({ value, origin }: Answered): Value => {
      const plain = forFlow(value);
      if (isObject(plain) && origin) origins.set(plain, origin);
      return plain as Value;
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

/** Beyond the safe integers, an integer is always a bigint; any other number that would lose digits is a text. */
function forFlow(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.number;
  if (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value)))
    return BigInt(String(value));
  if (!isContainer(value) || Object.isFrozen(value)) return value;
  for (const [key, part] of Object.entries(value)) Reflect.set(value, key, forFlow(part));
  return Object.freeze(value);
}

/** A misspelt option would otherwise be ignored silently. */
export function refuseUnknownOptions(options: object, allowed: readonly string[], of: string): void {
  const unknown = Object.keys(options).find((key) => !allowed.includes(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, allowed);
  const advice = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  throw new TypeError(`${of} has no option \`${unknown}\`; allowed: ${allowed.join(', ')}${advice}`);
}
