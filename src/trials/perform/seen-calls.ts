/** The calls of one attempt: those that began and ended since it began, those that are not answered yet, and reads that waited for it. */
import type { Quiet } from '../../environment/keeper/wait-for-quiet.ts';
import { type CallEvent, isListening, isStillWaiting, isStoreCall } from '../../journal/call-event.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { limits } from '../../kernel/limits.ts';
import { ObservationError } from '../../observers/observer.ts';
import type { LiveEnvironment } from './live-environment.ts';

export async function openSeenCalls(environment: LiveEnvironment) {
  const ended: CallEvent[] = [];
  /** By the end of their edges: statements are many, and must not displace calls of other kinds. */
  const kept = { stores: 0, others: 0, isFull: false };
  const late = new Set<string>();
  const { at: beganAt, machineAt: beganAtMachine } = await askNow(environment);
  const isOfThis = (call: CallEvent): boolean =>
    call.startedAt >= beganAt || gotWhatItWaitedFor(call, beganAt);
  // A stream that a client keeps open to listen is not a request in flight.
  const isRequest = (call: CallEvent): boolean => isOfThis(call) && !isListening(call);
  const lookAtOpen = async (): Promise<readonly CallEvent[]> => {
    const { inFlight: open, inFlightOmitted } = await askNow(environment);
    if (inFlightOmitted > 0) throw new ObservationError('too many calls are in flight to read them', 'later');
    return open;
  };
  const inFlight = async (): Promise<readonly CallEvent[]> => (await lookAtOpen()).filter(isRequest);
  return {
    /** The beginning of the attempt in the keeper's journal. */
    beganAt,
    /** The same moment on the machine's clock, so that the latency of the answer does not matter. */
    beganAtMachine,
    /** False for a call from before the attempt, whose answer may still come in a shared environment. */
    add: (call: CallEvent): boolean => {
      if (!isOfThis(call)) {
        if (call.endedAt >= beganAt && !isStoreCall(call) && !isOfTools(call)) late.add(edgeOf(call));
        return false;
      }
      const kind = isStoreCall(call) ? 'stores' : 'others';
      if (kept[kind] >= limits.keptCalls) {
        kept.isFull = true;
        return false;
      }
      kept[kind] += 1;
      ended.push(call);
      return true;
    },
    inFlight,
    /** The edges of what was open beside them: a stream that is listened to, a call from before. */
    openBeside: async (): Promise<readonly string[]> => {
      const beside = (await lookAtOpen()).filter((call) => !isRequest(call) && !isOfTools(call));
      return [...new Set([...late, ...beside.map(edgeOf)])];
    },
    all: async (): Promise<readonly CallEvent[]> => {
      // Calls in flight first: one that ends meanwhile is in both, and counts once.
      const open = await inFlight();
      if (kept.isFull)
        throw new ObservationError(`more than ${limits.keptCalls} calls crossed, and no more are kept`);
      // A read that waits is a call of the attempt in which it is answered.
      return [...ended, ...open.filter((call) => !isStillWaiting(call))];
    },
  };
}

export type SeenCalls = Awaited<ReturnType<typeof openSeenCalls>>;

/** What the tool protocol brings on its streams is read message by message. */
function isOfTools({ protocol, path, request, response }: CallEvent): boolean {
  return (
    protocol === 'json-rpc' ||
    path === 'stdio' ||
    response?.events?.[0]?.event === 'endpoint' ||
    Object.keys(request.headers).some((name) => name.startsWith('mcp-'))
  );
}

/** A read that began to wait before the attempt, and was answered within it. */
function gotWhatItWaitedFor({ waits, endedAt, incomplete }: CallEvent, beganAt: number): boolean {
  return waits === true && incomplete === undefined && endedAt >= beganAt;
}

/** The current state, without waiting. */
function askNow(environment: LiveEnvironment): Promise<Quiet> {
  return environment.ask('quiet', { settleMs: 0, withinMs: 0 });
}
