/** Opens everything that an attempt needs before its first step, and closes it after its last. */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { type CorrelateQuery, derivedKinds, sampledParts } from '../../checks/derived-queries.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { type AttemptResources, openAttemptResources } from '../../drivers/attempt-resources.ts';
import type { DriverContext } from '../../drivers/driver.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { SpanEvidence } from '../../journal/peer-event.ts';
import type { TrialJournalHeader } from '../../journal/trial-event.ts';
import { openTrialJournal, type TrialJournalWriter } from '../../journal/trial-journal.ts';
import { within } from '../../kernel/deadline.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { headOf } from '../../kernel/references.ts';
import type { ObserverContext } from '../../observers/observer.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { telemetryLimits } from '../../resources/telemetry/telemetry-limits.ts';
import type { Trial } from '../trial.ts';
import { type Attempt, createAttemptScope } from './attempt.ts';
import { Deaths } from './deaths.ts';
import { drivingContext } from './driving-context.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { lookByCommand } from './look-by-command.ts';
import { openSeenCalls, type SeenCalls } from './seen-calls.ts';
import { topologyOf } from './topology-of.ts';
import { watchBytes } from './watch-bytes.ts';
import { createWatches } from './watches.ts';
import { type LogMarks, markLogs } from './write-logs.ts';

export interface OpenOptions {
  readonly environment: LiveEnvironment;
  /** Where its journal goes. */
  readonly folder: string;
  readonly header: TrialJournalHeader;
  readonly uid: string;
  /** Aborted when the run is interrupted. */
  readonly signal?: AbortSignal;
  /** Called when its journal begins to take in the events of the environment, and when it no longer does. */
  readonly onRecording?: (isOn: boolean) => void;
}

export interface OpenedAttempt {
  readonly attempt: Attempt;
  readonly logs: LogMarks;
  /** Final work whose failure must not affect what follows. */
  finish(work: () => Promise<void>): Promise<void>;
  /** Ends connections and programs of the trial; true when one was open, so that closing it may have an effect. */
  letGo(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openAttempt(
  trial: Trial,
  options: OpenOptions,
  signal: AbortSignal,
): Promise<OpenedAttempt> {
  const { environment } = options;
  const journal = openTrialJournal(options.folder, options.header, environment.clock, environment.redactor);
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
  const { environment, uid } = options;
  const scratch = mkdtempSync(path.join(environment.workspace, 'attempt-'));
  const resources = openAttemptResources();
  const calls = await openSeenCalls(environment);
  const scope = await scopeOf(trial, options);
  const spans: SpanEvidence[] = [];
  const lasting = openAttemptResources();
  const driving = { ...(await drivingContext(environment, scratch, resources, signal)), lasting };
  const attempt: Attempt = {
    trial,
    number: options.header.attempt,
    seed: options.header.seed,
    beganAt: calls.beganAt,
    environment,
    journal,
    folder: options.folder,
    signal,
    driving,
    watches: createWatches(observerContext(environment, driving, calls, spans), journal),
    acts: new Map(),
    stillOpen: new Set(),
    connections: new Map(),
    scope: createAttemptScope(environment, scope),
    deaths: new Deaths(environment.clock),
  };
  const [logs, passedBytes] = await Promise.all([
    markLogs(environment),
    watchBytes(environment),
    ...observedKinds(trial).map(
      (kind) => attempt.watches.open(kind).catch(() => undefined), // whoever looks hears of it
    ),
  ]);
  const topology = { ...topologyOf(environment.system), prepared: await environment.prepared() };
  const keeperAt = firstMoment(journal, calls, environment.clock.monotonic());
  const { startedAt } = options.header;
  const known = { uid, trial: trial.record, scope, topology, keeperAt, startedAt };
  journal.emit({ type: 'attempt.started', ...known, before: environment.earlier.begin() });
  const stopListening = environment.onEvent(({ seq: _seq, at: _at, ...body }) => {
    const isWanted = body.type === 'call' ? calls.add(body) : copied.has(body.type);
    if (body.type === 'span' && spans.length <= telemetryLimits.spans) spans.push(body.span);
    if (isWanted) journal.emit(body);
    attempt.deaths.note(body);
  });
  options.onRecording?.(true);
  return {
    attempt,
    logs,
    finish: async (work) => {
      const open = journalOpen(journal, calls, passedBytes);
      if (!signal.aborted) return open.then(work);
      await within(environment.clock, openWithinMs, open).catch(() => undefined); // the environment may be gone
    },
    letGo: () => letGo(attempt, resources),
    close: async () => {
      await letGo(attempt, resources);
      await attempt.watches.close();
      await lasting.end();
      stopListening();
      environment.earlier.end();
      options.onRecording?.(false);
      await removeWhole(scratch, { below: path.dirname(environment.workspace), owners: 'everybody' });
    },
  };
}

/** Of this journal, on the clock of the keeper's. */
function firstMoment(journal: TrialJournalWriter, calls: SeenCalls, now: number): number {
  const journalBegan = now - journal.at(now);
  return calls.beganAt - (calls.beganAtMachine - journalBegan);
}

const openWithinMs = 2_000;

/** A call that was never answered is part of the evidence, above all when time is up. */
async function journalOpen(
  journal: TrialJournalWriter,
  calls: SeenCalls,
  passedBytes: Awaited<ReturnType<typeof watchBytes>>,
): Promise<void> {
  for (const call of await calls.inFlight()) journal.emit(call);
  const open = await calls.openBeside();
  journal.emit({ type: 'edges.passed', edges: await passedBytes(), ...(open.length > 0 ? { open } : {}) });
}

/** True when a connection was still open. */
async function letGo({ connections }: Attempt, resources: AttemptResources): Promise<boolean> {
  const open = [...connections.values()];
  connections.clear();
  await Promise.allSettled(open.map((connection) => connection.close()));
  await resources.end();
  return open.length > 0;
}

function observerContext(
  environment: LiveEnvironment,
  driving: Omit<DriverContext, 'timeoutMs' | 'folder'> & { readonly lasting: AttemptResources },
  calls: SeenCalls,
  spans: readonly SpanEvidence[],
): ObserverContext {
  const { system, clock, redactor } = environment;
  const { lasting: resources, signal, env, started } = driving;
  return {
    clock,
    redactor,
    signal,
    facts: () => environment.ask('facts', {}),
    calls: calls.all,
    programs: { env, ...(started === undefined ? {} : { started }), resources },
    runCommand: (spec) => lookByCommand(environment, { ...driving, resources }, spec),
    // Without a receiver spans are unknown, which differs from "none".
    ...(system.resources.some(({ kind }) => kind === 'telemetry') ? { spans: () => spans } : {}),
    systemFolder: system.folder,
  };
}

/** The values of references before the first step. */
async function scopeOf(
  trial: Trial,
  { environment, uid, header }: OpenOptions,
): Promise<Record<string, unknown>> {
  return {
    trial: { id: trial.record.id, uid, seed: header.seed, attempt: header.attempt },
    ...(trial.case === undefined ? {} : { case: trial.case }),
    ...(await addressesIn(trial, environment)),
  };
}

/** Observers to open before the first step, because they compare with "before". */
function observedKinds({ record, steps }: Trial): readonly string[] {
  const waited = steps.flatMap(({ when }) => (when ? [when] : []));
  const kinds = new Set([...record.checks, ...waited].flatMap(sampledKinds));
  return [...kinds];
}

/** Kinds that need an observer; results of steps and data from the journal are available anyway. */
function sampledKinds({ kind, query }: CheckRecord): readonly string[] {
  if (kind === 'correlate') return sampledParts(query as unknown as CorrelateQuery).map((part) => part.kind);
  return kind === 'exchange' || derivedKinds.includes(kind) ? [] : [kind];
}

/** Events of the environment during the attempt are part of the evidence. */
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

/** References that are neither the trial's own nor a step's are filled in by the keeper. */
async function addressesIn(trial: Trial, environment: LiveEnvironment): Promise<Record<string, string>> {
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
  const { texts: values } = await environment.ask('resolve', { texts: written });
  return Object.fromEntries(
    texts.flatMap((reference, index) => {
      const value = values[index];
      return value === undefined || value === written[index] ? [] : [[reference, value] as const];
    }),
  );
}
