/** How a call on an edge ended, in a few words, and what the failing side said. */
import { type CallEvent, isListening, isStillWaiting, lacksAnswer } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { isMap } from '../../kernel/is-map.ts';
import { formatRpcError } from '../../kinds/mcp/format.ts';
import { oneLineValue } from './fit-text.ts';
import { formatBreaches } from './format-breaches.ts';

export interface CallOutcome {
  /** The status, or why there is none. */
  readonly text: string;
  readonly failed: boolean;
  readonly said?: string;
  /** Rules that were broken, one sentence each. */
  readonly breaches?: readonly string[];
}

/** `isExpected`: it was refused as it should be. */
export function callOutcome(call: CallEvent, room: number, isExpected = false): CallOutcome {
  const breaches = formatBreaches(call);
  const outcome = plainOutcome(call, room);
  if (breaches.length > 0) return { ...outcome, failed: true, breaches };
  return isExpected || isOptionalMcp(call) ? { ...outcome, failed: false } : outcome;
}

/** The stream of a tool server and the end of its session are optional: whoever has none answers 405. */
function isOptionalMcp({ method, request, response }: CallEvent): boolean {
  const { accept = '', ...headers } = request.headers;
  const isAsked =
    (method === 'GET' && accept.includes('text/event-stream')) ||
    (method === 'DELETE' && sessionId in headers);
  return isAsked && response?.status === 405 && (sessionId in headers || protocolVersion in headers);
}

const sessionId = 'mcp-session-id';
const protocolVersion = 'mcp-protocol-version';

function plainOutcome(call: CallEvent, room: number): CallOutcome {
  const { error, result, response, turn } = call;
  if (isStillWaiting(call)) return { text: 'waiting', failed: false };
  const why = broken[(isLeft(call) ? undefined : call.incomplete) ?? ''];
  const isMissing = !response || lacksAnswer(call);
  const text = why ?? (isMissing ? 'no answer' : statusOf(call, response.status));
  const failed = (said?: string): CallOutcome => ({
    text,
    failed: !isVainOffer(call),
    ...(said ? { said } : {}),
  });
  if (error !== undefined && error !== null)
    return failed(formatRpcError(error, (value) => oneLineValue(value, room)));
  if (isMap(result) && result.isError === true)
    return failed(`the tool failed: ${oneLineValue(toolText(result), room)}`);
  if (isMissing || why !== undefined) return failed();
  if (response.status < 400) return { text, failed: turn?.error !== undefined || turn?.complete === false };
  // The content of a turn is shown with it.
  if (turn?.error) return failed();
  const body = response.json ?? response.text;
  return failed(body === undefined || body === '' ? undefined : oneLineValue(body, room));
}

/** Stores have no status; a statement says what it did. */
function statusOf({ statement, error, result }: CallEvent, status: number): string {
  if (statement === undefined) return String(status);
  if (isMap(error)) return String(error.code ?? 'error');
  return isMap(result) && typeof result.command === 'string' ? result.command : 'ok';
}

/** What a client of Redis asks for when it connects, and goes on without: older servers refuse it. */
function isVainOffer({ protocol, statement = '', incomplete }: CallEvent): boolean {
  return protocol === 'resp' && incomplete === undefined && offers.test(statement);
}

const offers = /^client (?:setinfo|maint_notifications|no-evict|no-touch|tracking|capa)\b/i;

/** An event stream has no end: a step of the trial closes it when it is done. */
function isLeft(call: CallEvent): boolean {
  const { from, incomplete, faults = [] } = call;
  return from === outside && incomplete === 'cut' && isListening(call) && faults.length === 0;
}

/** A body of which only the beginning was kept was complete for its receiver. */
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
