/** A body whose end did not pass, whichever side ended it, in either direction: what can be decided by it. Pure. */
import { cutMark } from '../kernel/cut-mark.ts';
import { notKept } from '../kernel/not-kept.ts';
import { type CallEvent, type CallMessage, mayGoOn, unfinishedRules } from './call-event.ts';

/** A call as a check sees it. */
type Seen = Partial<CallEvent>;

export function isUnfinished({ request, response }: Seen): boolean {
  return request?.unfinished === true || response?.unfinished === true;
}

/** What describes how a call ended. */
export const endKeys = [
  ...['incomplete', 'faults', 'request.unfinished', 'response.unfinished'],
  ...['turn.complete', 'turn.stop', 'turn.error', 'turn.faults'],
];

/** The call as far as it passed: each of these bodies is the beginning of one, and what it was to bring is not known. */
export function asPassed(call: Seen): unknown {
  return withBeginnings(call, { request: true, response: true }, undefined, notKept);
}

/**
 * The call as far as it proves something: a body that its sender broke off proves nothing, even if it looks whole.
 * `unseen` represents the forms in which the whole might have been kept.
 */
export function asProven(call: Seen, unseen: unknown): unknown {
  const isBrokenOff = call.faults?.some(({ rule }) => Object.values<string>(unfinishedRules).includes(rule));
  return withBeginnings(call, { request: mayGoOn(call), response: !isBrokenOff }, unseen);
}

function withBeginnings(
  call: Seen,
  counts: Readonly<Record<Side, boolean>>,
  unseen: unknown,
  meant = unseen,
): unknown {
  const { request, response, protocol } = call;
  const rpc = protocol === 'json-rpc' ? meant : undefined;
  const isStream = response?.events !== undefined;
  const isSaid = isStream && (call.result !== undefined || call.error !== undefined);
  const sent = beginning(request, counts.request, unseen);
  const came = beginning(response, counts.response, unseen);
  return {
    ...call,
    ...(sent === undefined ? {} : { request: sent, params: rpc }),
    ...(came === undefined ? {} : { response: came }),
    ...(came === undefined || isSaid ? {} : { result: rpc, error: rpc }),
    ...(came === undefined || (isStream && call.incomplete === undefined)
      ? {}
      : { turn: call.turn && unseen }),
  };
}

type Side = 'request' | 'response';

/** Undefined for a body that is all there, as JSON that came to its end is. */
function beginning(message: CallMessage | undefined, counts: boolean, unseen: unknown): unknown {
  if (!message?.unfinished || (counts && message.json !== undefined)) return undefined;
  if (message.events) return { ...message, events: withMore(message.events) };
  return { ...message, json: unseen, text: `${counts ? (message.text ?? '') : ''}${cutMark}` };
}

/** A list of which the end did not come: each element is whole, and another may have been meant to follow. */
export function withMore(list: readonly unknown[]): readonly unknown[] {
  return [...list, notKept];
}
