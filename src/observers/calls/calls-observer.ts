/** Sees what crossed the edges since the attempt began: `calls: switchboard -> health`. */
import { isUnread, unreadBecause } from '../../journal/call-event.ts';
import { untilAborted } from '../../kernel/until-aborted.ts';
import { keepMatching } from '../keep-matching.ts';
import { CannotSee, type Observer, type ObserverContext } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { callKeys } from '../seen-keys.ts';
import { refuseUnknownKeys } from '../spoken-keys.ts';
import { type CallView, inOrder, viewCalls } from './call-view.ts';
import { type EdgeChoice, openRecordedPrograms } from './recorded-programs.ts';
import { refuseUndecided } from './refuse-undecided.ts';

export interface CallsQuery {
  /** A name, or `*` for any. */
  readonly from: string;
  readonly to: string;
  readonly where?: unknown;
}

export const callsObserver: Observer<CallsQuery> = {
  name: 'calls',
  source: ({ from, to }) => `calls ${from} -> ${to}`,
  open: async (context) => {
    const { clock, signal } = context;
    const calls = await openCallViews(context);
    const look = async ({ from, to, where }: CallsQuery): Promise<readonly CallView[]> => {
      refuseUnknownKeys(where, callKeys, 'a call');
      const meant = await calls.on((edge) => isMeant(from, edge.from) && isMeant(to, edge.to));
      refuseUnread(meant);
      const kept = await keepMatching(clock, signal, where, meant);
      refuseUndecided(where, meant);
      if (kept.length > observerLimits.calls)
        throw new CannotSee(`more than ${observerLimits.calls} calls; narrow it with where`, 'never');
      return kept;
    };
    return {
      look: (query) => untilAborted(signal, look(query)),
      close: async () => {},
    };
  },
};

/** What passed where nobody could read it must not look like no call. */
export function refuseUnread(calls: readonly CallView[]): void {
  const unread = calls.find(isUnread);
  if (unread) throw new CannotSee(`${unread.from} -> ${unread.to}: ${unreadBecause}`, 'never');
}

export interface CallViews {
  /** Everything on these edges, in the order in which it began. */
  on(edges: EdgeChoice): Promise<readonly CallView[]>;
}

export async function openCallViews({ facts, signal, calls }: ObserverContext): Promise<CallViews> {
  const programs = await openRecordedPrograms({ facts, signal });
  return {
    on: async (edges) => {
      const crossed = (await calls()).filter(edges);
      return inOrder([...viewCalls(crossed), ...(await programs.on(edges))]);
    },
  };
}

function isMeant(wanted: string, name: string): boolean {
  return wanted === '*' || wanted === name;
}
