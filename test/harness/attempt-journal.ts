/** Builds the journal of an attempt by hand: defaults are as in a healthy one. */
import type { CheckRecord, TrialRecord } from '../../src/checks/trial-record.ts';
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { EarlierCalls } from '../../src/journal/earlier-calls.ts';
import type { ModelCalled } from '../../src/journal/peer-event.ts';
import type { Topology } from '../../src/journal/topology.ts';
import type { AttemptEnd, AttemptEvent, AttemptEventBody } from '../../src/journal/trial-event.ts';
import type { TurnEvidence } from '../../src/journal/turn-evidence.ts';

export interface JournalParts {
  readonly record?: Partial<TrialRecord>;
  readonly topology?: Topology;
  readonly before?: EarlierCalls;
  readonly events?: readonly AttemptEventBody[];
  /** Of the one step, `ask`. */
  readonly evidence?: unknown;
  readonly end?: AttemptEnd;
  readonly durationMs?: number;
  readonly scope?: Readonly<Record<string, unknown>>;
}

/** Calls and steps share one clock here. */
export function attemptJournal(parts: JournalParts): AttemptEvent[] {
  const { events = [], evidence = { status: 200 }, end = 'done', durationMs = 500 } = parts;
  const trial: TrialRecord = {
    id: 'chain/ask',
    file: 'ask.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps: [{ name: 'ask', line: 3, driver: 'http', to: 'agent', expect: { status: 200 } }],
    checks: [],
    logs: { error: 'ERROR', allow: [] },
    ...parts.record,
  };
  const bodies: AttemptEventBody[] = [
    {
      type: 'attempt.started',
      startedAt: '2026-08-01T12:00:00.000Z',
      uid: 'trial-1',
      trial,
      scope: { trial: { id: trial.id, uid: 'trial-1' }, ...parts.scope },
      ...(parts.topology ? { topology: parts.topology } : {}),
      keeperAt: 0,
      ...(parts.before ? { before: parts.before } : {}),
    },
    { type: 'step.started', step: 'ask', action: 'POST agent/ask' },
    { type: 'step.ended', step: 'ask', outcome: 'done', evidence, sentBytes: 5 },
    ...events,
    { type: 'attempt.ended', end, durationMs },
  ];
  const at = [0, 1, 400];
  return bodies.map((body, index) => ({ seq: index + 1, at: at[index] ?? 400 + index, ...body }));
}

const crossings = { json: 'application/json' };

/** `edge` is `a -> b`; `from` and `until` are milliseconds. */
export function call(
  edge: string,
  times: readonly [number, number],
  over: Partial<CallEvent> = {},
): CallEvent {
  const [from = '', to = ''] = edge.split(' -> ');
  const [startedAt, endedAt] = times;
  return {
    type: 'call',
    from,
    to,
    crossing: startedAt + 1,
    connection: startedAt + 1,
    protocol: 'http',
    method: 'POST',
    path: '/ask',
    request: { headers: { 'content-type': crossings.json }, json: { text: 'hello' }, bytes: 17 },
    response: { status: 200, headers: { 'content-type': crossings.json }, json: { text: 'fine' }, bytes: 15 },
    startedAt,
    endedAt,
    ...over,
  };
}

/** The same without an answer. */
export function unanswered(one: CallEvent, incomplete: NonNullable<CallEvent['incomplete']>): CallEvent {
  const { response: _response, ...rest } = one;
  return { ...rest, incomplete };
}

export function answered(status: number, json: unknown = {}): NonNullable<CallEvent['response']> {
  return { status, headers: { 'content-type': crossings.json }, json, bytes: 9 };
}

export function asked(json: unknown): CallEvent['request'] {
  return { headers: { 'content-type': crossings.json }, json, bytes: 9 };
}

export function turn(over: Partial<TurnEvidence> = {}): TurnEvidence {
  return {
    dialect: 'openai-chat',
    streamed: true,
    complete: true,
    text: 'fine',
    calls: [],
    stop: 'end',
    usage: { input: 10, output: 3 },
    faults: [],
    oddities: [],
    ...over,
  };
}

export function modelCalled(over: Partial<ModelCalled> = {}): ModelCalled {
  return {
    type: 'model.called',
    resource: 'model',
    caller: 'gateway',
    call: 1,
    mode: 'script',
    dialect: 'openai-chat',
    model: 'small',
    streamed: true,
    status: 200,
    line: 1,
    usage: { input: 10, output: 3 },
    costUsd: 0.001,
    startedAt: 0,
    endedAt: 1,
    ...over,
  };
}

export function check(over: Partial<CheckRecord> = {}): CheckRecord {
  return {
    id: 'it',
    line: 9,
    kind: 'rows',
    source: 'rows agent.notes',
    query: { service: 'agent', table: 'notes' },
    mode: 'quiet',
    absence: false,
    ...over,
  };
}

export function sampled(probe: string, value: unknown): AttemptEventBody {
  return { type: 'probe.sampled', probe, value, from: 450, to: 450, samples: 1 };
}

/** outside → agent → gateway → model, and agent → files. */
export const chain: Topology = {
  parties: [
    { name: 'agent', kind: 'service' },
    { name: 'gateway', kind: 'service' },
    { name: 'files', kind: 'service' },
    { name: 'model', kind: 'model' },
    { name: 'bank', kind: 'peer' },
  ],
  edges: [
    { from: 'outside', to: 'agent', seen: 'calls' },
    { from: 'agent', to: 'gateway', seen: 'calls' },
    { from: 'agent', to: 'files', seen: 'calls' },
    { from: 'gateway', to: 'model', seen: 'calls' },
    { from: 'gateway', to: 'bank', seen: 'calls' },
  ],
  relays: [],
};
