/** The calls of one attempt: those that ended since it began, and those that are not answered yet. */
import type { Quiet } from '../../environment/keeper/wait-for-quiet.ts';
import { type CallEvent, isListening, isStoreCall } from '../../journal/call-event.ts';
import { limits } from '../../kernel/limits.ts';
import { ObservationError } from '../../observers/observer.ts';
import type { LiveEnvironment } from './live-environment.ts';

export async function openSeenCalls(environment: LiveEnvironment) {
  const ended: CallEvent[] = [];
  /** By the end of their edges: statements are many, and must not displace calls of other kinds. */
  const kept = { stores: 0, others: 0, isFull: false };
  const { at: beganAt, machineAt: beganAtMachine } = await askNow(environment);
  const isOfThis = ({ startedAt }: CallEvent): boolean => startedAt >= beganAt;
  const inFlight = async (): Promise<readonly CallEvent[]> => {
    const { inFlight: open, inFlightOmitted } = await askNow(environment);
    if (inFlightOmitted > 0) throw new ObservationError('too many calls are in flight to read them', 'later');
    // A stream that a client keeps open to listen is not a request in flight.
    return open.filter((call) => isOfThis(call) && !isListening(call));
  };
  return {
    /** The beginning of the attempt in the keeper's journal. */
    beganAt,
    /** The same moment on the machine's clock, so that the latency of the answer does not matter. */
    beganAtMachine,
    /** False for a call from before the attempt, whose answer may still come in a shared environment. */
    add: (call: CallEvent): boolean => {
      if (!isOfThis(call)) return false;
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
    all: async (): Promise<readonly CallEvent[]> => {
      // Calls in flight first: one that ends meanwhile is in both, and counts once.
      const open = await inFlight();
      if (kept.isFull)
        throw new ObservationError(`more than ${limits.keptCalls} calls crossed, and no more are kept`);
      return [...ended, ...open];
    },
  };
}

export type SeenCalls = Awaited<ReturnType<typeof openSeenCalls>>;

/** The current state, without waiting. */
function askNow(environment: LiveEnvironment): Promise<Quiet> {
  return environment.ask('quiet', { settleMs: 0, withinMs: 0 });
}
