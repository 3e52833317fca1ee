/** `collectEarlier`: from the events of an environment to what passed while its parts started; for each attempt that follows. */
import { type CallEvent, isStoreCall } from '../../../journal/call-event.ts';
import type { EarlierCall, EarlierCalls } from '../../../journal/earlier-calls.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import { outside, type Prepared, type Topology } from '../../../journal/topology.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeOf, partyIn } from '../../../kernel/edge-name.ts';
import { canonicalise } from '../../canonical-value.ts';
import { isStoreTalk, subjectsOf } from '../store-calls.ts';
import { callAnswer, callName, callRequest, isGreeting, isLook } from './call-parts.ts';
import { deliveriesOf } from './deliveries.ts';
import { boundedValue, withShortTexts } from './kept-value.ts';
import { collectSaidByJobs } from './said-by-jobs.ts';

/** Of calls that differ; of the whole, as JSON. */
const most = { onEdge: 150, calls: 500, chars: 300_000 };

export interface Earlier {
  note(event: JournalEvent): void;
  /** Events were lost: more may have passed on every edge. */
  lose(): void;
  /** How the jobs left the parties that they may call. */
  prepared(): readonly Prepared[];
  /** An attempt begins. */
  begin(): EarlierCalls;
  end(): void;
}

/** Calls count until the first attempt begins, and again once a service was started anew between two attempts. */
export function collectEarlier(topology: Topology): Earlier {
  const kept = new Map<string, Kept>();
  const cut = new Set<string>();
  const saidByJobs = collectSaidByJobs(topology);
  let chars = 0;
  let isPerforming = false;
  let isOpen = true;
  const add = (call: EarlierCall): void => {
    const { startedAt: _startedAt, endedAt: _endedAt, ...same } = call;
    const key = JSON.stringify(same);
    const edge = call.edge ?? edgeOf(call);
    const onEdge = [...kept.values()].filter((one) => (one.call.edge ?? edgeOf(one.call)) === edge);
    const isFull = onEdge.length >= most.onEdge || kept.size >= most.calls || chars + key.length > most.chars;
    if (!kept.has(key) && isFull) cut.add(edge);
    else {
      if (!kept.has(key)) chars += key.length;
      kept.set(key, { call: kept.get(key)?.call ?? call, gone: new Set() });
    }
  };
  /** What a process knew is gone with it. */
  const forget = (party: string): void => {
    for (const [key, { call, gone }] of kept) {
      if (call.to === party || call.from === party) gone.add(party);
      if (!gone.has(call.to) || !gone.has(call.from)) continue;
      kept.delete(key);
      chars -= key.length;
    }
  };
  return {
    note: (event) => {
      // What a trial makes its services do is no start, and what they find then is what it left.
      if (isPerforming) return;
      saidByJobs.note(event);
      if (event.type === 'call' && isOpen) for (const call of earlierCalls(event, topology)) add(call);
      if (event.type === 'node.starting') {
        forget(event.name);
        isOpen = true;
      }
    },
    prepared: saidByJobs.prepared,
    lose: () => {
      saidByJobs.lose();
      for (const edge of topology.edges) if (edge.from !== outside) cut.add(edgeOf(edge));
    },
    begin: () => {
      isPerforming = true;
      isOpen = false;
      return {
        calls: [...kept.values()].map(({ call }) => call),
        ...(cut.size > 0 ? { cut: [...cut] } : {}),
      };
    },
    end: () => {
      isPerforming = false;
    },
  };
}

/** `gone`: those of its two ends that have been started anew since. */
interface Kept {
  readonly call: EarlierCall;
  readonly gone: Set<string>;
}

/** Not what we ask ourselves, and not what a service keeps in a store of its own, or a job leaves there. */
function earlierCalls(event: CallEvent, { parties, edges }: Topology): readonly EarlierCall[] {
  const { from } = event;
  const to = partyIn(event.to);
  const call = { call: { ...event, to } };
  if (from === outside || isGreeting(call)) return [];
  if (isStoreCall(event)) {
    const isShared = edges.some(
      (edge) => partyIn(edge.to) === to && edge.from !== from && edge.from !== outside,
    );
    const isOfJob = parties.some(({ name, kind }) => name === from && kind === 'job');
    if (isStoreTalk(event) || isOfJob || !isShared) return [];
  }
  const { startedAt, endedAt } = event;
  const common = {
    ...{ from, to, name: callName(call), startedAt, endedAt },
    ...defined({ edge: to === event.to ? undefined : edgeOf(event), about: subjectsOf(event) }),
  };
  const pieces = deliveriesOf(call);
  if (pieces)
    return pieces.map((piece) => ({ ...common, request: null, answer: keep(piece), delivered: true }));
  return [
    {
      ...common,
      request: keep(callRequest(call)),
      answer: keep(callAnswer(call)),
      ...(isLook(call) ? { optional: true } : {}),
    },
  ];
}

/** Each by itself: ids are compared within a call only. */
function keep(value: unknown): unknown {
  return withShortTexts(canonicalise(boundedValue(value)));
}
