/** An edge to a tool server on stdio, as its taps report it: numbers calls across processes, and tracks open ones. */
import { type CallEvent, isListening, mayGoOn } from '../../journal/call-event.ts';
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { callLimits } from '../../taps/calls/call-limits.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import type { EdgeStats, WatchedEdge } from '../keeper/idle-edge.ts';
import type { Client } from '../keeper/keeper-server.ts';

type Journal = Pick<EnvironmentContext, 'emit' | 'clock' | 'at'>;

/** A call that may be reported once more. */
interface OpenCall {
  readonly crossing: number;
  /** Set while it is in flight. */
  readonly call?: CallEvent;
  /** Ends the wait for its answer. */
  readonly settled?: (() => void) | undefined;
}

export class StdioEdge {
  readonly from: string;
  readonly to: string;
  readonly #journal: Journal;
  /** Calls by tap and by their number there. */
  readonly #taps = new Map<Client, Map<number, OpenCall>>();
  #crossings = 0;
  #bytes = 0;
  #lastActivityAt: number;

  constructor(from: string, to: string, journal: Journal) {
    this.from = from;
    this.to = to;
    this.#journal = journal;
    this.#lastActivityAt = journal.clock.monotonic();
  }

  reported(reported: CallEvent, tap: Client): void {
    const open = this.#openOf(tap);
    const before = open.get(reported.crossing);
    before?.settled?.();
    if (before === undefined) this.#crossings += 1;
    const crossing = before?.crossing ?? this.#crossings;
    const { startedAt, endedAt, request, response } = reported;
    this.#lastActivityAt = this.#journal.clock.monotonic();
    this.#bytes += (before === undefined ? request.bytes : 0) + (response?.bytes ?? 0);
    // Taps use the clock of the machine.
    const offset = this.#now() - this.#lastActivityAt;
    const times = { startedAt: startedAt + offset, endedAt: endedAt + offset };
    const call: CallEvent = { ...known(reported), crossing, ...times };
    const isInFlight = call.incomplete === 'in-flight';
    if (isInFlight)
      open.set(reported.crossing, { crossing, call, settled: this.#giveUpLater(reported, tap) });
    else if (mayGoOn(call)) open.set(reported.crossing, { crossing });
    else open.delete(reported.crossing);
    if (!isInFlight) this.#journal.emit(call);
  }

  callsInFlight(): readonly CallEvent[] {
    const calls = [...this.#taps.values()].flatMap((open) =>
      [...open.values()].flatMap(({ call }) => call ?? []),
    );
    return calls.map((call) => ({ ...call, endedAt: this.#now() }));
  }

  /** For an attempt that began then: an earlier call is not its own, and may never be answered. */
  since(begin: number): WatchedEdge {
    const { from, to } = this;
    return { from, to, callsInFlight: () => this.callsInFlight(), stats: () => this.stats(begin) };
  }

  stats(since = 0): EdgeStats {
    const asked = this.callsInFlight().filter((call) => call.startedAt >= since && !isListening(call));
    return {
      bytesSent: this.#bytes,
      bytesReceived: 0,
      bytesWaiting: 0,
      callsInFlight: asked.length,
      lastActivityAt: this.#lastActivityAt,
    };
  }

  /** Its consumer may have given it up without `notifications/cancelled`. */
  #giveUpLater(call: CallEvent, tap: Client): (() => void) | undefined {
    if (isListening(call)) return undefined;
    const endedAt = call.endedAt + callLimits.answerWithinMs;
    const giveUp = (): void => this.reported({ ...call, endedAt, incomplete: 'unanswered' }, tap);
    return this.#journal.clock.after(callLimits.answerWithinMs, giveUp);
  }

  #openOf(tap: Client): Map<number, OpenCall> {
    const known = this.#taps.get(tap);
    if (known !== undefined) return known;
    const open = new Map<number, OpenCall>();
    this.#taps.set(tap, open);
    tap.onGone(() => this.#gone(tap, open));
    return open;
  }

  /** A killed tap reports nothing more, and its consumer gets no more answers. */
  #gone(tap: Client, open: ReadonlyMap<number, OpenCall>): void {
    this.#taps.delete(tap);
    for (const { call, settled } of open.values()) {
      settled?.();
      if (call !== undefined) this.#journal.emit({ ...call, endedAt: this.#now(), incomplete: 'cut' });
    }
  }

  #now(): number {
    const { at, clock } = this.#journal;
    return at?.() ?? clock.monotonic();
  }
}

export function stdioEdgesOf({ services }: System, journal: Journal): readonly StdioEdge[] {
  return services.flatMap(({ name, stdioTools = [] }) =>
    stdioTools.map((to) => new StdioEdge(name, to, journal)),
  );
}

/** Undefined where no tool server on stdio is declared. */
export function findStdioEdge(
  { stdioEdges }: Pick<EnvironmentContext, 'stdioEdges'>,
  { from, to }: { readonly from: string; readonly to: string },
): StdioEdge | undefined {
  return stdioEdges.find((edge) => edge.from === from && edge.to === to);
}

export function recordStdioCall(context: EnvironmentContext, call: CallEvent, tap: Client): void {
  const edge = findStdioEdge(context, call);
  if (edge === undefined) throw unknownEdge(`${call.from} -> ${call.to}`);
  edge.reported(call, tap);
}

/** The report is untrusted: keys that do not belong to a call, such as a journal number, are dropped. */
function known({ type, from, to, crossing, connection, protocol, ...rest }: CallEvent): CallEvent {
  const { method, path, params, result, error, request, response, faults, startedAt, endedAt, incomplete } =
    rest;
  return {
    ...{ type, from, to, crossing, connection, protocol, method, path, request, startedAt, endedAt },
    ...defined({ params, result, error, response, faults, incomplete }),
  };
}

function unknownEdge(edge: string): Problem {
  return new Problem({
    code: 'config.unknown-name',
    where: `edge ${edge}`,
    what: 'no tool server on stdio is declared there',
    allowed: 'an edge of `shims` with `speaks: mcp`',
    next: 'declare it in the config',
  });
}
