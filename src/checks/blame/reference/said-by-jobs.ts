/** `collectSaidByJobs`: what the jobs said to each party, as a fingerprint: who was told the same is left in the same state. */
import { type CallEvent, isStoreCall, isUnread } from '../../../journal/call-event.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import type { Prepared, Topology, TopologyEdge } from '../../../journal/topology.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import { createCanonicaliser } from '../../canonical-value.ts';
import { isStoreTalk } from '../store-calls.ts';
import { callAnswer, callName, callRequest, isGreeting, isLook } from './call-parts.ts';
import { boundedValue, fingerprint, tooMuch } from './kept-value.ts';

/** Of one job; what is said beyond that is not compared. */
const mostCalls = 5_000;

export interface SaidByJobs {
  note(event: JournalEvent): void;
  /** Events were lost: more may have been said. */
  lose(): void;
  /** Without the parties of which it is not known. */
  prepared(): readonly Prepared[];
}

export function collectSaidByJobs({ parties, edges }: Topology): SaidByJobs {
  const jobs = new Set(parties.flatMap(({ name, kind }) => (kind === 'job' ? [name] : [])));
  const targets = Map.groupBy(
    edges.filter(({ from }) => jobs.has(from)),
    ({ to }) => partyIn(to),
  );
  const isResource = (name: string): boolean =>
    parties.some((party) => party.name === name && party.kind === 'resource');
  const runs = new Map<string, JobRun>();
  const anew = new Set<string>();
  let isLost = false;
  return {
    note: (event) => {
      if (event.type === 'node.starting') {
        if (jobs.has(event.name)) runs.set(event.name, newRun());
        else if ([...runs.values()].some(({ said }) => said.has(event.name))) anew.add(event.name);
      } else if (event.type === 'node.reused') runs.delete(event.name);
      else if (event.type === 'call') {
        const run = runs.get(event.from);
        if (run) addCall(run, event);
      } else if (event.type === 'connection.opened')
        runs.get(event.from)?.opened.push({ to: event.to, connection: event.connection });
    },
    lose: () => {
      isLost = true;
    },
    prepared: () => {
      if (isLost) return [];
      return [...targets].flatMap(([resource, from]): readonly Prepared[] => {
        const whole = from.map((edge) => ({ run: wholeRun(edge), name: edge.from }));
        if (whole.some(({ run }) => run === undefined)) return [];
        const said = new Map(whole.flatMap(({ run, name }) => pair(name, run?.said.get(resource)))); // an edge for each listener
        const state = fingerprint(JSON.stringify([[...said].sort(), anew.has(resource)]));
        const by = said.size > 0 ? [...said.keys()] : [...new Set(from.map((edge) => edge.from))];
        return [{ resource, by, state, said: true }];
      });
    },
  };

  /** Undefined where it may have said more on this edge than is known. */
  function wholeRun(edge: TopologyEdge): JobRun | undefined {
    const run = runs.get(edge.from);
    if (!run || run.calls > mostCalls || run.unclear.has(partyIn(edge.to))) return undefined;
    const { seen = isResource(edge.to) ? 'bytes' : 'calls' } = edge;
    const isHidden = run.opened.some(
      ({ to, connection }) => to === edge.to && !run.read.has(`${to} ${connection}`),
    );
    return seen === 'bytes' && isHidden ? undefined : run;
  }
}

/** Of a job, since it was started last. */
interface JobRun {
  /** By the party that it was said to. */
  readonly said: Map<string, string>;
  readonly unclear: Set<string>;
  readonly opened: { readonly to: string; readonly connection: number }[];
  /** Connections on which calls were read. */
  readonly read: Set<string>;
  readonly canonicalise: (value: unknown) => unknown;
  calls: number;
}

function newRun(): JobRun {
  const canonicalise = createCanonicaliser();
  return { said: new Map(), unclear: new Set(), opened: [], read: new Set(), canonicalise, calls: 0 };
}

function addCall(run: JobRun, event: CallEvent): void {
  const to = partyIn(event.to);
  const call = { call: { ...event, to } };
  run.read.add(`${event.to} ${event.connection}`);
  run.calls += 1;
  if (run.calls > mostCalls || isGreeting(call) || isHarmless(call)) return;
  const parts = [event.to, event.path, callName(call), callRequest(call), callAnswer(call)];
  const text = JSON.stringify(run.canonicalise(boundedValue(parts)));
  if (isUnread(event) || event.incomplete !== undefined || text.includes(tooMuch)) run.unclear.add(to);
  run.said.set(to, fingerprint(`${run.said.get(to) ?? ''} ${text}`));
}

/** However often it is asked whether another one is there, nothing is left by it. `SET search_path` may decide what follows. */
function isHarmless(call: { readonly call: CallEvent }): boolean {
  return isLook(call) && (!isStoreCall(call.call) || isStoreTalk(call.call));
}

function pair(name: string, said: string | undefined): readonly (readonly [string, string])[] {
  return said === undefined ? [] : [[name, said]];
}
