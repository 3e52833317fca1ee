/** The paths of a relay: the direction of a value, where it is read, and whether it was passed on. */

import type { CallEvent } from '../../journal/call-event.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { equalScalars } from '../../patterns/plain-value.ts';
import { parsePath } from '../../patterns/value-path.ts';

export interface RelayPath {
  /** Requests go out as received; answers come back as received. */
  readonly way: 'request' | 'answer';
  readonly incoming: string;
  readonly outgoing: string;
}

/** `request.json.model`, or `request.json.max_tokens = request.json.max_output_tokens`, incoming first. */
export function readRelayPath(written: string): RelayPath | undefined {
  const [incoming = '', outgoing = incoming] = written.split('=').map((side) => side.trim());
  const ways = [incoming, outgoing].map((side) => wayOf(side));
  return ways[0] !== undefined && ways[0] === ways[1] ? { way: ways[0], incoming, outgoing } : undefined;
}

function wayOf(path: string): RelayPath['way'] | undefined {
  const [head = ''] = path.split(/[.[]/, 1);
  if (head === 'request' || head === 'params') return 'request';
  return head === 'response' || head === 'turn' || head === 'result' ? 'answer' : undefined;
}

/** Undefined if there is no such value. Ids of tool calls are not compared: a relay may assign its own. */
export function valueAt(call: CallEvent, path: string): unknown {
  let value: unknown = call;
  for (const key of parsePath(path) ?? ['']) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  if (path !== 'turn.calls' || !Array.isArray(value)) return value;
  return value.map(({ name, arguments: given, argumentsText }: ToolCallPart) => ({
    name,
    given,
    argumentsText,
  }));
}

type ToolCallPart = {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly argumentsText?: unknown;
};

const deepest = 100;

/** Everything of the first is in the second; a map may have more there, a list may not. */
export function cameThrough(sent: unknown, got: unknown, depth = 0): boolean {
  if (depth > deepest) return true;
  if (Array.isArray(sent))
    return (
      Array.isArray(got) &&
      sent.length === got.length &&
      sent.every((item, index) => cameThrough(item, got[index], depth + 1))
    );
  if (!isContainer(sent)) return equalScalars(sent, got);
  return (
    typeof got === 'object' &&
    got !== null &&
    Object.entries(sent).every(
      ([key, value]) => value === undefined || cameThrough(value, Reflect.get(got, key), depth + 1),
    )
  );
}
