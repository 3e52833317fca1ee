/** Sees what crossed the edges since the attempt began: `calls: switchboard -> health`. */
import { isStoreCall, isUnread, unkeptParts, unreadBecause } from '../../journal/call-event.ts';
import { looksAtEnd } from '../../kernel/edge-name.ts';
import { callFields } from '../../kinds/calls/check.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { isMatch, keepMatching } from '../keep-matching.ts';
import {
  type Changes,
  ObservationError,
  type Observer,
  type ObserverContext,
  watching,
} from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { refuseUnknownKeys, spokenKeys, withoutKeys } from '../spoken-keys.ts';
import { type CallView, inOrder, viewCalls } from './call-view.ts';
import { type CallsOn, openRecordedPrograms } from './recorded-programs.ts';

export interface CallsQuery {
  /** A name, or `*` for any; a service is all of its listeners. */
  readonly from: string;
  readonly to: string;
  readonly where?: unknown;
}

export const callsObserver: Observer<CallsQuery> = {
  name: 'calls',
  open: async (context) => {
    const { clock, signal } = context;
    const callsOn = await openCallViews(context);
    const look = async ({ from, to, where }: CallsQuery): Promise<readonly CallView[]> => {
      refuseUnknownKeys(where, Object.keys(callFields), 'a call');
      const meant = await callsOn((edge) => looksAtEnd(from, edge.from) && looksAtEnd(to, edge.to));
      refuseUnread(meant);
      const kept = await keepMatching(clock, signal, where, meant);
      refuseUndecided(where, meant);
      if (kept.length > observerLimits.elements)
        throw new ObservationError(`more than ${observerLimits.elements} calls; narrow it with where`);
      return kept;
    };
    return watching(context, look);
  },
};

export const callChanges: Changes = {
  kind: 'calls',
  open: async (context) => {
    const callsOn = await openCallViews(context);
    return {
      look: async () => {
        // A statement changes rows, which are observed as such.
        const crossed = (await callsOn(() => true)).filter((call) => !isStoreCall(call));
        // What the trial itself sent is not a change, whatever it was.
        refuseUnread(crossed.filter(({ from }) => from !== 'outside'));
        return crossed.map((call) => ({ kind: 'call', ...call }));
      },
    };
  },
};

/** What passed unreadably must not look like no call. */
function refuseUnread(calls: readonly CallView[]): void {
  const unread = calls.find(isUnread);
  if (unread) throw new ObservationError(`${unread.from} -> ${unread.to}: ${unreadBecause(unread)}`);
}

/** Gives everything on some edges, in the order in which it began. */
async function openCallViews({ facts, signal, calls }: ObserverContext): Promise<CallsOn> {
  const programsOn = await openRecordedPrograms({ facts, signal });
  return async (edges) => {
    const crossed = (await calls()).filter(edges);
    return inOrder([...viewCalls(crossed), ...(await programsOn(edges))]);
  };
}

/** Only where the condition reads what was not kept, and everything else in it holds. */
function refuseUndecided(where: unknown, calls: readonly CallView[]): void {
  if (!isPlainMap(where)) return;
  const large = calls.filter(({ incomplete }) => incomplete === 'too-large');
  for (const call of large) {
    const unkept = unkeptKeys(call).filter((key) => isRead(where, key));
    if (unkept.length === 0 || !isMatch(withoutKeys(where, unkept), call)) continue;
    const isPlain = unkept.every((key) => key in where);
    if (isPlain && isMatch(where, call)) continue;
    throw new ObservationError(
      `call ${call.crossing} ${call.from} -> ${call.to} was too large to be kept, so that ${unkept.join(' and ')} cannot be compared`,
    );
  }
}

/** Keys of which a part, or all, is missing. */
function unkeptKeys(call: CallView): readonly string[] {
  return [...new Set(unkeptParts(call).map((part) => part.split('.', 1)[0] as string))];
}

/** What is known of a message without its whole body. */
const alwaysKept = ['headers', 'trailers', 'bytes', 'status', 'truncated', 'unfinished'];

function isRead(where: Readonly<Record<string, unknown>>, key: string): boolean {
  if (!spokenKeys(where).includes(key)) return false;
  const pattern = where[key];
  const spoken = isPlainMap(pattern) ? Object.keys(pattern) : ['everything'];
  return spoken.some((inner) => !alwaysKept.includes(inner));
}
