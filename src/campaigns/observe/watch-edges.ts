/** Counts what crosses every edge of an environment from now on, with the moments. */

import { type Cost, costOf } from '../../checks/cost.ts';
import { isRead } from '../../environment/wiring/edges.ts';
import { type CallEvent, isListening, isStoreCall, lacksAnswer } from '../../journal/call-event.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { EdgeTraffic } from '../../journal/observation.ts';
import type { ModelCalled, PeerCalled } from '../../journal/peer-event.ts';
import { type EdgeEnds, edgeName } from '../../kernel/edge-name.ts';
import { limits } from '../../kernel/limits.ts';
import { openRecordedPrograms } from '../../observers/calls/recorded-programs.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import type { Moment } from './attribute-moments.ts';
import { observeLimits } from './junit/observe-limits.ts';
import { type BytesSeen, watchTraffic } from './watch-traffic.ts';

export interface SeenOnEdges {
  readonly edges: readonly EdgeTraffic[];
  readonly moments: readonly Moment[];
  /** Moments in which a disturbance was met. */
  readonly meetings: readonly Moment[];
  /** Finished calls, in the order of their ends. */
  readonly calls: readonly CallEvent[];
  /** Services that ended by themselves, as text. */
  readonly deaths: readonly string[];
  readonly unscripted: readonly string[];
  readonly cost: Cost;
}

export async function watchEdges(environment: LiveEnvironment, signal: AbortSignal) {
  const { edges: all, jobs } = await environment.ask('status', {});
  // Jobs are done before the tests begin.
  const edges = all.filter(({ from }) => !jobs.some(({ name }) => name === from));
  const programsOn = await openRecordedPrograms({ facts: () => environment.ask('facts', {}), signal });
  const isWatched = ({ url }: { readonly url: string }): boolean => isRead(url.split(':', 1)[0] ?? '');
  const watched = edges.filter(isWatched).map(({ from, to }) => edgeName(`${from} -> ${to}`));
  const traffic = await watchTraffic(environment, new Set(watched));
  const seen = new SeenEvents(traffic.toWall, traffic.beganAt);
  for (const edge of edges) seen.edge(edge.from, edge.to, isWatched(edge));
  const stopListening = environment.onEvent((event) => seen.take(event));
  return {
    /** Stops watching, and returns everything that was seen. */
    end: async (): Promise<SeenOnEdges> => {
      const bytes = await traffic.end();
      const { inFlight } = await environment.ask('quiet', { settleMs: 0, withinMs: 0 });
      stopListening();
      for (const call of inFlight) seen.count(call);
      for (const { from, to, startedAt } of await programsOn(() => true)) seen.program(from, to, startedAt);
      return seen.sum(bytes);
    },
  };
}

type Counted = { -readonly [Key in keyof EdgeTraffic]: EdgeTraffic[Key] } & {
  statuses: Record<string, number>;
};

class SeenEvents {
  readonly #toWall: (at: number) => number;
  readonly #beganAt: number;
  readonly #edges = new Map<string, Counted>();
  readonly #moments: Moment[] = [];
  readonly #meetings: Moment[] = [];
  readonly #calls: CallEvent[] = [];
  readonly #deaths: string[] = [];
  readonly #unscripted = new Set<string>();
  readonly #models: ModelCalled[] = [];

  constructor(toWall: (at: number) => number, beganAt: number) {
    this.#toWall = toWall;
    this.#beganAt = beganAt;
  }

  /** Its counters; `isWatched` is for an edge that was not known. */
  edge(from: string, to: string, isWatched: boolean): Counted {
    const name = edgeName(`${from} -> ${to}`);
    const known = this.#edges.get(name);
    if (known) return known;
    const none = { calls: 0, errors: 0, statuses: {}, connections: 0, refused: 0 };
    const added = { from, to, isWatched, ...none, bytesSent: 0, bytesReceived: 0 };
    this.#edges.set(name, added);
    return added;
  }

  take(event: JournalEvent): void {
    if (event.type === 'call') this.#call(event);
    else if (event.type === 'connection.opened') this.edge(event.from, event.to, false).connections += 1;
    else if (event.type === 'connection.refused') this.#refused(event);
    else if (event.type === 'disturbance.felt') this.#meet(event);
    else if (event.type === 'node.exited' && !event.expected)
      this.#deaths.push(`${event.kind} ${event.name} ended by itself, ${how(event)}`);
    else if (event.type === 'model.called' || event.type === 'peer.called') this.#played(event);
  }

  program(from: string, to: string, startedAt: number): void {
    this.edge(from, to, true).calls += 1;
    this.#moment(from, to, startedAt);
  }

  sum({ edges, moments }: BytesSeen): SeenOnEdges {
    for (const { from, to, bytesSent, bytesReceived } of edges)
      if (this.#edges.has(edgeName(`${from} -> ${to}`)))
        Object.assign(this.edge(from, to, false), { bytesSent, bytesReceived });
    return {
      edges: [...this.#edges.values()],
      moments: [...this.#moments, ...moments],
      meetings: this.#meetings,
      calls: this.#calls,
      deaths: this.#deaths,
      unscripted: [...this.#unscripted],
      cost: costOf(this.#models),
    };
  }

  #call(call: CallEvent): void {
    if (call.incomplete === 'in-flight') return;
    const isKept = call.startedAt >= this.#beganAt && !isStoreCall(call);
    if (isKept && this.#calls.length < limits.keptCalls) this.#calls.push(call);
    this.count(call);
  }

  /** An answer to an earlier request does not belong to this command. */
  count(call: CallEvent): void {
    if (call.startedAt < this.#beganAt) return;
    const edge = this.edge(call.from, call.to, true);
    edge.calls += 1;
    if (isFailed(call)) edge.errors += 1;
    const status = statusOf(call);
    edge.statuses[status] = (edge.statuses[status] ?? 0) + 1;
    this.#moment(call.from, call.to, this.#toWall(call.startedAt));
  }

  #refused(event: Extract<JournalEvent, { type: 'connection.refused' }>): void {
    this.edge(event.from, event.to, false).refused += 1;
    this.#moment(event.from, event.to, this.#toWall(event.at));
    if (event.because === 'rule') this.#meet(event);
  }

  #meet({ from, to, at }: EdgeEnds & { readonly at: number }): void {
    this.#moment(from, to, this.#toWall(at), this.#meetings);
  }

  #played(event: ModelCalled | PeerCalled): void {
    if (event.type === 'model.called') this.#models.push(event);
    if (event.fault && this.#unscripted.size < observeLimits.errorLines)
      this.#unscripted.add(event.fault.what);
  }

  #moment(from: string, to: string, time: number, moments = this.#moments): void {
    if (moments.length < observeLimits.moments)
      moments.push({ edge: edgeName(`${from} -> ${to}`), from: time, to: time });
  }
}

function isFailed(call: CallEvent): boolean {
  const { error, result, response, incomplete, faults = [] } = call;
  // A stream goes on after its answer, or until whoever listens to it leaves.
  const isEnough = result !== undefined || (isListening(call) && faults.length === 0);
  const isBroken = incomplete !== undefined && incomplete !== 'too-large' && !isEnough;
  return isBroken || (error !== undefined && error !== null) || !response || response.status >= 500;
}

function how({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  return signal === null ? `with exit code ${code}` : `by ${signal}`;
}

/** Statements have none. */
function statusOf(call: CallEvent): string {
  if (!call.response || lacksAnswer(call)) return 'none';
  return isStoreCall(call) ? (call.error === undefined ? 'ok' : 'error') : String(call.response.status);
}
