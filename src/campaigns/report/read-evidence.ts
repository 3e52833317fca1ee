/** The attempts of a trial for a report, as JSON: whatever is in the folder, reading it never fails. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { judge } from '../../checks/judge/judge-attempt.ts';
import type { TrialJournal } from '../../journal/trial-journal.ts';
import { orElse } from '../../kernel/or-else.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { readAttempt, trialFolder } from '../run/read-attempt.ts';
import { eventText } from './event-text.ts';
import type { ReportedAttempt } from './report-data.ts';
import { reportLimits } from './report-limits.ts';
import type { ReportSource } from './report-source.ts';

export interface Evidence {
  /** Each a `ReportedAttempt` as JSON. */
  readonly attempts: readonly string[];
  /** The newest of them that passed by itself. */
  readonly passed?: string;
  /** There are more than a report takes. */
  readonly isPart: boolean;
}

/** Of a trial with many attempts, those that did not pass come first. */
export async function readEvidence(
  source: ReportSource,
  id: string,
  mostBytes: number,
  isBad: boolean,
): Promise<Evidence> {
  const numbers = attemptsIn(source, id);
  const most = reportLimits.attempts;
  const attempts: { readonly number: number; readonly text: string }[] = [];
  let spare: (typeof attempts)[number] | undefined;
  let passed: string | undefined;
  for (const number of isBad ? numbers : numbers.slice(0, most)) {
    const read = await readOne(source, id, number);
    const hasPassed = isBad && passedByItself(read.journal);
    if (attempts.length >= most && !hasPassed) continue;
    const one = { number, text: attemptText(read, mostBytes) };
    if (hasPassed) passed = one.text;
    if (attempts.length < most && (!hasPassed || numbers.length <= most)) attempts.push(one);
    else spare = one;
  }
  if (spare) attempts.push(spare);
  attempts.sort((a, b) => a.number - b.number);
  return {
    attempts: attempts.map(({ text }) => text),
    ...(passed === undefined ? {} : { passed }),
    isPart: attempts.length < numbers.length,
  };
}

function attemptsIn({ folder, plan }: ReportSource, id: string): readonly number[] {
  const trial = plan.trials.find((one) => one.id === id);
  const often = plan.rounds * (trial?.attempts ?? 1);
  const numbers = Array.from({ length: often }, (_, index) => index + 1);
  return numbers.filter((number) => existsSync(path.join(folder, trialFolder(id, number), 'events.ndjson')));
}

/** Also of a run of which no more is known. */
interface StoredPlace {
  readonly folder: string;
  readonly plan: Pick<ReportSource['plan'], 'run' | 'startedAt'>;
}

interface ReadOne {
  readonly head: Omit<ReportedAttempt, 'events'>;
  /** Undefined where it could not be read. */
  readonly journal: TrialJournal | undefined;
}

async function readOne({ folder, plan }: StoredPlace, id: string, attempt: number): Promise<ReadOne> {
  const place = trialFolder(id, attempt);
  const head = { run: plan.run, attempt, folder: place.split(path.sep).join('/'), startedAt: plan.startedAt };
  const journal = await readAttempt(folder, plan, id, attempt).catch(whyUnreadable);
  if (typeof journal === 'string') return { head: { ...head, unreadable: journal }, journal: undefined };
  const { startedAt } = journal.header;
  const unreadable = journal.torn ? { unreadable: 'the last line of the journal was cut off' } : {};
  return { head: { ...head, startedAt, ...unreadable }, journal };
}

function whyUnreadable(error: unknown): string {
  const [problem] = problemsIn(error);
  if (problem?.code !== 'journal.unreadable') throw error;
  return problem.message;
}

function attemptText({ head, journal }: ReadOne, mostBytes: number): string {
  let bytes = 0;
  const events = (journal?.events ?? []).map((event) => {
    const isFull = bytes > reportLimits.attemptBytes;
    const text = eventText(event, isFull ? Math.min(mostBytes, reportLimits.passedBodyBytes) : mostBytes);
    bytes += text.length;
    return text;
  });
  return `${JSON.stringify(head).slice(0, -1)},"events":[${events.join(',')}]}`;
}

/** One without checksums may be damaged in any way. */
function passedByItself(journal: TrialJournal | undefined): boolean {
  if (!journal) return false;
  return orElse(() => judge(journal.events).verdict === 'passed', false);
}

/** An attempt of another run; undefined where it cannot be read. */
export async function readReference(
  place: StoredPlace,
  id: string,
  attempt: number,
  mostBytes: number,
): Promise<string | undefined> {
  const read = await readOne(place, id, attempt);
  return read.journal && !read.journal.torn ? attemptText(read, mostBytes) : undefined;
}
