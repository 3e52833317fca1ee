/** How a call on an edge ended, in a few words, and what the failing side had to say. */
import { type CallEvent, isListening } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { isMap, oneLineValue } from './one-line-value.ts';
import { tellRpcError } from './tell-evidence.ts';
import { tellBreaches } from './tell-turn.ts';

export interface CallOutcome {
  /** The status, or why there is none. */
  readonly text: string;
  readonly failed: boolean;
  readonly said?: string;
  /** Rules that were broken, one sentence each. */
  readonly breaches?: readonly string[];
}

export function callOutcome(call: CallEvent, room: number): CallOutcome {
  const breaches = tellBreaches(call);
  const outcome = plainOutcome(call, room);
  return breaches.length === 0 ? outcome : { ...outcome, failed: true, breaches };
}

function plainOutcome(call: CallEvent, room: number): CallOutcome {
  const { error, result, response, turn } = call;
  const incomplete = isLeft(call) ? undefined : call.incomplete;
  const text = broken[incomplete ?? ''] ?? (response ? String(response.status) : 'no answer');
  const failed = (said?: string): CallOutcome => ({ text, failed: true, ...(said ? { said } : {}) });
  if (error !== undefined && error !== null) return failed(tellRpcError(error, room));
  if (isMap(result) && result.isError === true)
    return failed(`the tool failed: ${oneLineValue(toolText(result), room)}`);
  if (!response || broken[incomplete ?? ''] !== undefined) return failed();
  if (response.status < 400) return { text, failed: turn?.error !== undefined || turn?.complete === false };
  // What a turn says is told with it.
  if (turn?.error) return failed();
  const body = response.json ?? response.text;
  return failed(body === undefined || body === '' ? undefined : oneLineValue(body, room));
}

/** A stream that one listens to has no end: a step of the trial leaves it when it has done what it came for. */
function isLeft(call: CallEvent): boolean {
  const { from, incomplete, faults = [] } = call;
  return from === outside && incomplete === 'cut' && isListening(call) && faults.length === 0;
}

/** A body of which only the beginning was kept is whole for the one who got it. */
const broken: Readonly<Record<string, string>> = {
  cut: 'cut off',
  'not-http': 'no HTTP',
  unanswered: 'no answer',
  cancelled: 'cancelled',
};

function toolText({ content }: Readonly<Record<string, unknown>>): unknown {
  const [only] = Array.isArray(content) && content.length === 1 ? (content as unknown[]) : [];
  return isMap(only) && typeof only.text === 'string' ? only.text : content;
}
