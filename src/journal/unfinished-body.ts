/** A body of which the end did not pass, whoever ended it, in whichever direction: what can be said by it. Pure. */
import { cutMark } from '../kernel/cut-mark.ts';
import { type CallEvent, type CallMessage, mayGoOn, unfinishedRules } from './call-event.ts';

/** A call as a check sees it. */
type Seen = Partial<CallEvent>;

export function isUnfinished({ request, response }: Seen): boolean {
  return request?.unfinished === true || response?.unfinished === true;
}

/** What speaks of how a call ended. */
export const endKeys = ['incomplete', 'faults', 'request.unfinished', 'response.unfinished'] as const;

/** The call as far as it passed: each of these bodies is the beginning of one. */
export function asPassed(call: Seen): unknown {
  return withBeginnings(call, { request: true, response: true });
}

/**
 * The call as far as it proves something: a body that its sender broke off is none, though what came of it may look like one.
 * `unseen` stands for the forms in which the whole might have been kept.
 */
export function asProven(call: Seen, unseen: unknown): unknown {
  const isBrokenOff = call.faults?.some(({ rule }) => Object.values<string>(unfinishedRules).includes(rule));
  return withBeginnings(call, { request: mayGoOn(call), response: !isBrokenOff }, unseen);
}

function withBeginnings(call: Seen, counts: Readonly<Record<Side, boolean>>, unseen?: unknown): unknown {
  const { request, response, protocol } = call;
  const rpc = protocol === 'json-rpc' ? unseen : undefined;
  const sent = beginning(request, counts.request, unseen);
  const came = beginning(response, counts.response, unseen);
  return {
    ...call,
    ...(sent === undefined ? {} : { request: sent, params: rpc }),
    ...(came === undefined ? {} : { response: came, result: rpc, error: rpc, turn: undefined }),
  };
}

type Side = 'request' | 'response';

/** Undefined for a body that is all there, as JSON that came to its end is. */
function beginning(message: CallMessage | undefined, counts: boolean, unseen: unknown): unknown {
  if (!message?.unfinished || (counts && message.json !== undefined)) return undefined;
  return { ...message, json: unseen, text: `${counts ? (message.text ?? '') : ''}${cutMark}` };
}
