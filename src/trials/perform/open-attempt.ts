/** Opens everything that an attempt needs before its first step, and closes it after its last. */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { type CorrelateQuery, derivedKinds, sampledParts } from '../../checks/derived/derived-queries.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { type Belongings, openBelongings } from '../../drivers/belongings.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { SpanEvidence } from '../../journal/peer-event.ts';
import type { TrialJournalHeader } from '../../journal/trial-event.ts';
import { openTrialJournal, type TrialJournalWriter } from '../../journal/trial-journal.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { headOf } from '../../kernel/references.ts';
import type { ObserverContext } from '../../observers/observer.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { telemetryLimits } from '../../resources/telemetry/telemetry-limits.ts';
import type { Trial } from '../trial.ts';
import { type Attempt, createKnowledge } from './attempt.ts';
import { Deaths } from './deaths.ts';
import { drivingContext } from './driving-context.ts';
import { openSeenCalls, type SeenCalls } from './seen-calls.ts';
import type { Stage } from './stage.ts';
import { topologyOf } from './topology-of.ts';
import { watchBytes } from './watch-bytes.ts';
import { createWatches } from './watches.ts';
import { type LogMarks, markLogs } from './write-logs.ts';

export interface OpenOptions {
  readonly stage: Stage;
  /** Where its journal goes. */
  readonly folder: string;
  readonly header: TrialJournalHeader;
  readonly uid: string;
  /** Aborted when whoever runs it is interrupted. */
  readonly signal?: AbortSignal;
}

export interface OpenedAttempt {
  readonly attempt: Attempt;
  readonly logs: LogMarks;
  /** Work at the end that may fail without harm to what follows. */
  finish(work: () => Promise<void>): Promise<void>;
  /** Ends connections and programs of the trial; true when one of them was still open, so that its end may have an effect. */
  letGo(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openAttempt(
  trial: Trial,
  options: OpenOptions,
  signal: AbortSignal,
): Promise<OpenedAttempt> {
  const { stage } = options;
  const journal = openTrialJournal(options.folder, options.header, stage.clock, stage.redactor);
  try {
    return await openAll(trial, options, journal, signal);
  } catch (error) {
    journal.close();
    throw error;
  }
}

async function openAll(
  trial: Trial,
  options: OpenOptions,
  journal: TrialJournalWriter,
  signal: AbortSignal,
): Promise<OpenedAttempt> {
  const { stage, uid } = options;
  const scratch = mkdtempSync(path.join(stage.workspace, 'attempt-'));
  const belongings = openBelongings();
  const calls = await openSeenCalls(stage);
  const scope = await scopeOf(trial, options);
  const spans: SpanEvidence[] = [];
  const attempt: Attempt = {
    trial,
    number: options.header.attempt,
    seed: options.header.seed,
    stage,
    journal,
    folder: options.folder,
    signal,
    driving: await drivingContext(stage, scratch, belongings, signal),
    watches: createWatches(observerContext(stage, signal, calls, spans)),
    acts: new Map(),
    stillOpen: new Set(),
    connections: new Map(),
    knowledge: createKnowledge(stage, scope),
    deaths: new Deaths(stage.clock),
  };
  const [logs, passedBytes] = await Promise.all([
    markLogs(stage),
    watchBytes(stage),
    ...observedKinds(trial).map((kind) =>
      attempt.watches.open(kind).catch(() => 'whoever looks hears of it'),
    ),
  ]);
  const topology = { ...topologyOf(stage.system), prepared: await stage.prepared() };
  const journalBegan = stage.clock.monotonic() - journal.at();
  const keeperAt = calls.beganAt - (calls.beganAtMachine - journalBegan);
  journal.emit({ type: 'attempt.started', uid, trial: trial.record, scope, topology, keeperAt });
  const stopListening = stage.onEvent(({ seq: _seq, at: _at, ...body }) => {
    const isWanted = body.type === 'call' ? calls.add(body) : copied.has(body.type);
    if (body.type === 'span' && spans.length <= telemetryLimits.spans) spans.push(body.span);
    if (isWanted) journal.emit(body);
    attempt.deaths.note(body);
  });
  return {
    attempt,
    logs,
    finish: async (work) => {
      if (signal.aborted) return;
      // Who was asked and never answered is part of the story.
      for (const call of await calls.inFlight()) journal.emit(call);
      journal.emit({ type: 'edges.passed', edges: await passedBytes() });
      await work();
    },
    letGo: () => letGo(attempt, belongings),
    close: async () => {
      await letGo(attempt, belongings);
      await attempt.watches.close();
      stopListening();
      await removeWhole(scratch, { below: path.dirname(stage.workspace), owners: 'everybody' });
    },
  };
}

/** True when a connection was still open. */
async function letGo({ connections }: Attempt, belongings: Belongings): Promise<boolean> {
  const open = [...connections.values()];
  connections.clear();
  await Promise.allSettled(open.map((connection) => connection.close()));
  await belongings.end();
  return open.length > 0;
}

function observerContext(
  stage: Stage,
  signal: AbortSignal,
  calls: SeenCalls,
  spans: readonly SpanEvidence[],
): ObserverContext {
  const { system, clock, redactor } = stage;
  return {
    clock,
    redactor,
    signal,
    facts: () => stage.ask('facts', {}),
    calls: calls.all,
    // Without a receiver nothing can be known of spans; that is not the same as none.
    ...(system.resources.some(({ kind }) => kind === 'telemetry') ? { spans: () => spans } : {}),
    systemFolder: system.folder,
  };
}

/** What references mean before the first step. */
async function scopeOf(trial: Trial, { stage, uid, header }: OpenOptions): Promise<Record<string, unknown>> {
  return {
    trial: { id: trial.record.id, uid, seed: header.seed, attempt: header.attempt },
    ...(trial.case === undefined ? {} : { case: trial.case }),
    ...(await addressesIn(trial, stage)),
  };
}

/** What must be opened before the first step, so that "before" is known. */
function observedKinds({ record, steps }: Trial): readonly string[] {
  const waited = steps.flatMap(({ when }) => (when ? [when] : []));
  const kinds = new Set([...record.checks, ...waited].flatMap(sampledKinds));
  return [...kinds];
}

/** Kinds for which somebody has to look; what a step gave, and what is read from the journal, is there anyway. */
function sampledKinds({ kind, query }: CheckRecord): readonly string[] {
  if (kind === 'correlate') return sampledParts(query as unknown as CorrelateQuery).map((part) => part.kind);
  return kind === 'exchange' || derivedKinds.includes(kind) ? [] : [kind];
}

/** What the environment did meanwhile is part of the evidence. */
const copied = new Set<JournalEvent['type']>([
  'node.exited',
  'node.started',
  'node.ready',
  'node.stopped',
  'node.failed',
  'connection.refused',
  'edge.disturbed',
  'disturbance.felt',
  'disturbance.unfit',
  'model.called',
  'peer.called',
  'peer.unused',
  'peer.recorded',
  'span',
]);

/** Every reference that is neither the trial's own nor a step's is the keeper's to fill in. */
async function addressesIn(trial: Trial, stage: Stage): Promise<Record<string, string>> {
  const awaited = (trial.awaits ?? []).map(headOf);
  const own = new Set([
    'trial',
    'case',
    'burst',
    'request',
    ...awaited,
    ...trial.steps.map(({ name }) => name),
  ]);
  const texts = [
    ...new Set(
      referencesIn([
        trial.steps.map(({ spec, expect }) => [spec, expect]),
        trial.steps.map(({ when }) => when),
        trial.record.checks,
        trial.scripts,
      ])
        .filter(({ path: [head = ''] }) => !own.has(head))
        .map(({ reference }) => reference),
    ),
  ];
  if (texts.length === 0) return {};
  const written = texts.map((reference) => `\${${reference}}`);
  const { texts: values } = await stage.ask('resolve', { texts: written });
  return Object.fromEntries(
    texts.flatMap((reference, index) => {
      const value = values[index];
      return value === undefined || value === written[index] ? [] : [[reference, value] as const];
    }),
  );
}
