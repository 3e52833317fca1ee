/** A job goes from an API through a queue to a worker, which reads and writes a database: what each of them sent and got. */
import { digestOf } from '../../src/checks/blame/reference/digest-of.ts';
import { mergeDigests } from '../../src/checks/blame/reference/merge-digests.ts';
import type { ReferenceDigest } from '../../src/checks/blame/reference/reference-digest.ts';
import { judge } from '../../src/checks/judge/judge-attempt.ts';
import type { CheckRecord } from '../../src/checks/trial-record.ts';
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { Topology } from '../../src/journal/topology.ts';
import { attemptJournal, call, type JournalParts, sampled } from './attempt-journal.ts';

const topology: Topology = {
  parties: [
    { name: 'api', kind: 'service' },
    { name: 'worker', kind: 'service' },
    { name: 'queue', kind: 'service' },
    { name: 'db', kind: 'resource' },
    { name: 'mailer', kind: 'peer' },
  ],
  edges: [
    { from: 'outside', to: 'api', seen: 'calls' },
    { from: 'api', to: 'queue', seen: 'statements' },
    { from: 'worker', to: 'queue', seen: 'statements' },
    { from: 'api', to: 'db', seen: 'statements' },
    { from: 'worker', to: 'db', seen: 'statements' },
    { from: 'worker', to: 'mailer', seen: 'calls' },
  ],
  relays: [],
};

const stored = { request: { headers: {}, bytes: 9 }, response: { status: 200, headers: {}, bytes: 9 } };

export function command(edge: string, at: number, line: string, over: Partial<CallEvent> = {}): CallEvent {
  const [method = '', path = '', ...words] = line.split(' ');
  const params = [path, ...words];
  return call(edge, [at, at + 2], {
    ...stored,
    protocol: 'resp',
    method,
    path,
    statement: line,
    params,
    ...over,
  });
}

export function statement(edge: string, at: number, text: string, ...params: readonly unknown[]): CallEvent {
  const method = text.split(' ', 1)[0] ?? '';
  const result = { command: `${method} 1` };
  return call(edge, [at, at + 2], {
    ...{ ...stored, protocol: 'postgres', path: 'app', method },
    ...{ statement: text, params, result },
  });
}

const jobNames = ['lamp', 'cup', 'pot'];

/** The worker had asked for it long before. */
export function taken(at: number, ...jobs: readonly string[]): CallEvent {
  const entries = jobs.map((job) => [`1754000000000-${jobNames.indexOf(job)}`, ['job', job]]);
  return {
    ...command('worker -> queue', at, 'XREADGROUP jobs', { result: [['jobs', entries]], waits: true }),
    startedAt: at - 900,
  };
}

export function queued(at: number, job: string): CallEvent {
  return command('api -> queue', at, `XADD jobs * job ${job}`);
}

export function mailed(at: number, job: string): CallEvent {
  const request = { headers: {}, json: { about: job }, bytes: 9 };
  return call('worker -> mailer', [at, at + 10], { request });
}

/** Of one job: written down by the API, put on the queue, taken by the worker, noted, mailed, and acknowledged. */
export function workedOn(job: string, at = 0): readonly CallEvent[] {
  return [
    queued(at + 20, job),
    taken(at + 25, job),
    statement('worker -> db', at + 30, 'INSERT INTO notes VALUES ($1)', job),
    mailed(at + 40, job),
    command('worker -> queue', at + 60, 'XACK jobs workers'),
  ];
}

export const asked = call('outside -> api', [10, 390]);

/** `value`: what the check saw. */
export function run(
  check: CheckRecord,
  calls: readonly CallEvent[],
  value: unknown,
  over: JournalParts = {},
): JournalParts {
  return {
    topology,
    events: [asked, ...calls, ...(value === undefined ? [] : [sampled(check.id, value)])],
    record: { checks: [check] },
    ...over,
  };
}

/** Beside three runs that passed: one three times, or different ones. */
export function blamed(reference: JournalParts | readonly JournalParts[], parts: JournalParts) {
  const passed = Array.isArray(reference) ? reference : [reference, reference, reference];
  const digests = passed.map((one) => digestOf(attemptJournal(one)) as ReferenceDigest);
  return judge(attemptJournal(parts), undefined, digests.reduce(mergeDigests)).blame;
}
