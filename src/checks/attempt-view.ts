/** Reads the events of an attempt into the form in which it is judged. */
import { isStillWaiting } from '../journal/call-event.ts';
import type { DeclaredFields } from '../journal/declared-field.ts';
import type { EarlierCalls } from '../journal/earlier-calls.ts';
import type { Topology } from '../journal/topology.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../journal/trial-event.ts';
import type { Scope } from '../patterns/scope.ts';
import { type SeenCall, seenCalls } from './seen-call.ts';
import type { CheckRecord, TrialRecord } from './trial-record.ts';

export interface AttemptView {
  readonly record: TrialRecord;
  /** Values of the references, including the evidence of the steps. */
  readonly scope: Scope;
  /** The checks that are judged. */
  readonly checks: readonly CheckRecord[];
  /** The checks for which the samples were taken; the same, unless others are tried on the same evidence. */
  readonly performed: readonly CheckRecord[];
  readonly steps: ReadonlyMap<string, EventOf<'step.ended'>>;
  readonly probes: ReadonlyMap<string, ProbeView>;
  readonly logErrors: readonly EventOf<'log.error'>[];
  readonly logsUndecided: readonly EventOf<'log.undecided'>[];
  /** Processes that ended by themselves. */
  readonly deaths: readonly EventOf<'node.exited'>[];
  /** What crossed the edges, in the order in which it began. */
  readonly calls: readonly SeenCall[];
  readonly felt: readonly EventOf<'disturbance.felt'>[];
  readonly unfit: readonly EventOf<'disturbance.unfit'>[];
  readonly modelCalls: readonly EventOf<'model.called'>[];
  readonly peerCalls: readonly EventOf<'peer.called'>[];
  readonly unused: readonly EventOf<'peer.unused'>[];
  readonly recorded: readonly EventOf<'peer.recorded'>[];
  readonly refusals: readonly EventOf<'connection.refused'>[];
  /** Absent in journals of older versions. */
  readonly topology: Topology | undefined;
  readonly before: EarlierCalls | undefined;
  /** By source: what it declares of its fields; empty in journals of older versions. */
  readonly declared: ReadonlyMap<string, DeclaredFields>;
  /** The first moment of this journal on the clock of the calls. */
  readonly keeperAt: number;
  /** Wall time of that moment; absent in journals of older versions. */
  readonly startedAt: number | undefined;
  /** All of them, in order. */
  readonly events: readonly AttemptEvent[];
  readonly sentBytes: number;
  /** What was received on connections on which the system sends first. */
  readonly heardBytes: number;
  /** The number of a missing line. */
  readonly missingLine: number | undefined;
  /** Edges were still busy when the wait for quiet timed out. */
  readonly restless: EventOf<'quiet'> | undefined;
  /** Edges with traffic that was not waited for, as configured. */
  readonly unwatched: readonly string[];
  readonly ended: EventOf<'attempt.ended'> | undefined;
}

export interface ProbeView {
  readonly samples: readonly (EventOf<'probe.sampled'> | EventOf<'probe.blind'>)[];
  readonly end: EventOf<'probe.ended'> | undefined;
}

/** Why what needs the end of an attempt is not known. */
export const endIsMissing = 'the journal ends in the middle of the attempt';

/** Undefined if the journal ends before the attempt began. */
export function viewAttempt(events: readonly AttemptEvent[]): AttemptView | undefined {
  const [started] = eventsOf(events, 'attempt.started');
  if (!started) return undefined;
  const record = started.trial as TrialRecord;
  const steps = new Map(eventsOf(events, 'step.ended').map((event) => [event.step, event]));
  const declared = eventsOf(events, 'check.declared').map(({ check }) => check as CheckRecord);
  return {
    record,
    scope: {
      ...started.scope,
      ...Object.fromEntries([...steps].map(([name, { evidence }]) => [name, evidence])),
    },
    checks: [...record.checks, ...declared],
    performed: [...record.checks, ...declared],
    steps,
    probes: viewProbes(events),
    logErrors: eventsOf(events, 'log.error'),
    logsUndecided: eventsOf(events, 'log.undecided'),
    deaths: eventsOf(events, 'node.exited').filter(({ expected }) => !expected),
    // One that still waits is a call of the attempt in which it is answered.
    calls: seenCalls(eventsOf(events, 'call').filter((call) => !isStillWaiting(call))),
    felt: eventsOf(events, 'disturbance.felt'),
    unfit: eventsOf(events, 'disturbance.unfit'),
    modelCalls: eventsOf(events, 'model.called'),
    peerCalls: eventsOf(events, 'peer.called'),
    unused: eventsOf(events, 'peer.unused'),
    recorded: eventsOf(events, 'peer.recorded'),
    refusals: eventsOf(events, 'connection.refused'),
    topology: started.topology,
    before: started.before,
    declared: new Map(eventsOf(events, 'source.declared').map(({ source, fields }) => [source, fields])),
    keeperAt: started.keeperAt ?? estimatedKeeperAt(eventsOf(events, 'call')),
    startedAt: started.startedAt === undefined ? undefined : Date.parse(started.startedAt),
    events,
    sentBytes: [...steps.values()].reduce((sum, { sentBytes }) => sum + sentBytes, 0),
    heardBytes: [...steps.values()].reduce((sum, { evidence }) => sum + heardIn(evidence), 0),
    missingLine: missingLine(events),
    restless: eventsOf(events, 'quiet').find(({ quiet, busy }) => !quiet && busy.length > 0),
    unwatched: [...new Set(eventsOf(events, 'quiet').flatMap(({ unwatched = [] }) => unwatched))],
    ended: eventsOf(events, 'attempt.ended')[0],
  };
}

/** A call is recorded a moment after it ended, so the shortest of these delays is the best estimate. */
function estimatedKeeperAt(calls: readonly EventOf<'call'>[]): number {
  if (calls.length === 0) return 0;
  return calls.reduce((latest, { endedAt, at }) => Math.max(latest, endedAt - at), Number.NEGATIVE_INFINITY);
}

function missingLine(events: readonly AttemptEvent[]): number | undefined {
  const index = events.findIndex(({ seq }, at) => seq !== at + 1);
  return index < 0 ? undefined : index + 1;
}

/** Of one act, or of a burst. */
function heardIn(evidence: unknown): number {
  if (typeof evidence !== 'object' || evidence === null) return 0;
  const { bytesReceived, answers } = evidence as { bytesReceived?: unknown; answers?: unknown };
  if (Array.isArray(answers)) return answers.reduce((sum: number, one) => sum + heardIn(one), 0);
  return typeof bytesReceived === 'number' ? bytesReceived : 0;
}

function viewProbes(events: readonly AttemptEvent[]): ReadonlyMap<string, ProbeView> {
  const probes = new Map<string, { samples: ProbeView['samples'][number][]; end: ProbeView['end'] }>();
  const of = (probe: string) => {
    const known = probes.get(probe) ?? { samples: [], end: undefined };
    probes.set(probe, known);
    return known;
  };
  for (const event of events) {
    if (event.type === 'probe.sampled' || event.type === 'probe.blind') of(event.probe).samples.push(event);
    if (event.type === 'probe.ended') of(event.probe).end = event;
  }
  return probes;
}
