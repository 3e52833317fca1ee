/** The calls of one attempt: those that ended since it began, and those that were asked and not answered yet. */
import type { Quiet } from '../../environment/keeper/wait-for-quiet.ts';
import { type CallEvent, isListening } from '../../journal/call-event.ts';
import { limits } from '../../kernel/limits.ts';
import { CannotSee } from '../../observers/observer.ts';
import type { Stage } from './stage.ts';

export interface SeenCalls {
  /** The attempt's beginning on the keeper's journal. */
  readonly beganAt: number;
  /** The same moment on the clock of the machine: how long the answer was on its way does not matter then. */
  readonly beganAtMachine: number;
  /** False for an answer to somebody else: in a shared environment it may still come. */
  add(call: CallEvent): boolean;
  inFlight(): Promise<readonly CallEvent[]>;
  all(): Promise<readonly CallEvent[]>;
}

export async function openSeenCalls(stage: Stage): Promise<SeenCalls> {
  const ended: CallEvent[] = [];
  const { at: beganAt, machineAt: beganAtMachine } = await askNow(stage);
  const isOfThis = ({ startedAt }: CallEvent): boolean => startedAt >= beganAt;
  const inFlight = async (): Promise<readonly CallEvent[]> => {
    const { inFlight: open, inFlightOmitted } = await askNow(stage);
    if (inFlightOmitted > 0) throw new CannotSee('too many calls are in flight to look at them', 'later');
    // A stream that somebody keeps open to listen is no question.
    return open.filter((call) => isOfThis(call) && !isListening(call));
  };
  return {
    beganAt,
    beganAtMachine,
    add: (call) => {
      if (!isOfThis(call)) return false;
      if (ended.length >= limits.keptCalls) return false;
      ended.push(call);
      return true;
    },
    inFlight,
    all: async () => {
      // First those under way: one that ends meanwhile is in both, and counts once.
      const open = await inFlight();
      return [...ended, ...open];
    },
  };
}

/** How it stands at this moment, without waiting. */
function askNow(stage: Stage): Promise<Quiet> {
  return stage.ask('quiet', { settleMs: 0, withinMs: 0 });
}
