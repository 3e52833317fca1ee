/** A probe samples what one check observes, and journals each value once, with how long it lasted. */
import { holdCalls, holdSeen } from '../../checks/doubtful-parts.ts';
import type { Expectation } from '../../checks/hold-against.ts';
import { holdExchange } from '../../checks/hold-exchange.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { redactValues } from '../../journal/redact-values.ts';
import type { ProbeEnd } from '../../journal/trial-event.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { ObservationError } from '../../observers/observer.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { checkDocument } from '../kinds/check-table.ts';
import type { RawMap } from '../read/placed.ts';
import type { Attempt } from './attempt.ts';
import { type FilledIn, filledIn } from './filled-in.ts';
import { mayStillCome } from './may-still-come.ts';

export type Seen = { readonly value: unknown } | { readonly unobservable: string };

interface Standing {
  readonly text: string;
  readonly value?: unknown;
  readonly unobservable?: string;
  readonly from: number;
  to: number;
  samples: number;
}

const firstPauseMs = 4;
const longestPauseMs = 100;

/** `name` is the check's id, or another name for the samples. */
export function createProbe(attempt: Attempt, check: CheckRecord, name = check.id) {
  const { journal, environment, signal } = attempt;
  let standing: Standing | undefined;
  let cannotHold = false;
  let last: Seen | undefined;
  const write = (): void => {
    if (!standing) return;
    const { value, unobservable, from, to, samples } = standing;
    if (unobservable === undefined)
      journal.emit({ type: 'probe.sampled', probe: name, value, from, to, samples });
    else journal.emit({ type: 'probe.blind', probe: name, because: unobservable, from, to, samples });
  };
  const note = (seen: Seen): void => {
    const now = journal.at();
    const text = JSON.stringify(seen);
    if (standing?.text === text) {
      standing.to = now;
      standing.samples += 1;
      return;
    }
    write();
    standing = { text, ...seen, from: now, to: now, samples: 1 };
  };
  const sample = async (): Promise<boolean> => {
    try {
      const raw = await look(attempt, check);
      last = { value: raw };
      const value = isCopied(check.kind) ? redactValues(raw, environment.redactor) : attempt.scope.clean(raw);
      note({ value });
      const isHeld = holds(attempt, check, value);
      cannotHold = !isHeld && isFinal(attempt, check, value);
      return isHeld;
    } catch (error) {
      // A sample that was cut off by the end of the attempt has no value.
      if (signal.aborted) return false;
      if (!(error instanceof ObservationError)) throw error;
      cannotHold = !error.retryable;
      last = { unobservable: error.message };
      note(last);
      return false;
    }
  };
  return {
    check,
    /** Samples once; true when the value is what the check expects. */
    sample,
    /** The raw value of the last sample, not as journalled; undefined before the first. */
    seen: (): Seen | undefined => last,
    /** Samples until it holds or the time is over. */
    until: async (withinMs: number): Promise<boolean> => {
      const endsAt = environment.clock.monotonic() + withinMs;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.4, longestPauseMs)) {
        if (await sample()) return true;
        const leftMs = endsAt - environment.clock.monotonic();
        if (leftMs <= 0 || cannotHold || signal.aborted) return false;
        await environment.clock.sleep(Math.min(pauseMs, leftMs), signal).catch(() => undefined); // the next look is the last
      }
    },
    finish: (end: ProbeEnd): void => {
      write();
      standing = undefined;
      journal.emit({ type: 'probe.ended', probe: name, end });
    },
  };
}

export type Probe = ReturnType<typeof createProbe>;

/** A check that a step waits for, as it is judged after the wait timed out. */
export function awaited(check: CheckRecord, step: string, withinMs: number): CheckRecord {
  const title = `wait for ${check.source}`;
  return { ...check, id: `when ${step}`, title, mode: 'within', withinMs, absence: false };
}

/** Data journalled by the keeper is redacted already. */
export function isCopied(kind: string): boolean {
  return checkKind(kind)?.isCopied === true;
}

/** The current value. */
async function look(attempt: Attempt, check: CheckRecord): Promise<unknown> {
  if (check.kind === 'exchange') {
    const name = String(check.query.exchange);
    const act = attempt.acts.get(name);
    if (!act) throw new ObservationError(`the step \`${name}\` was not done`);
    return act.evidence();
  }
  const { value: query, missing } = attempt.scope.forQuery(check);
  if (missing[0] !== undefined) throw new ObservationError(attempt.scope.whyMissing(missing[0]));
  const { value, fault } = filledQuery(check, query as RawMap);
  if (fault !== undefined) throw new ObservationError(fault);
  const watch = await attempt.watches.open(check.kind);
  return watch.look(value);
}

function filledQuery({ kind, query }: CheckRecord, filled: RawMap): FilledIn {
  const document = checkDocument(kind);
  const isOpen = document && referencesIn(query).length > 0;
  return isOpen ? filledIn(document.partial().strip(), filled) : { value: filled };
}

/** The answer of a finished step does not change between samples. */
function isFinal(attempt: Attempt, check: CheckRecord, value: unknown): boolean {
  if (check.kind !== 'exchange') return false;
  const name = String(check.query.exchange);
  const act = attempt.acts.get(name);
  if (act === undefined || !attempt.stillOpen.has(name)) return true;
  return !mayStillCome(act, check.expect, (expect) => holds(attempt, { ...check, expect }, value));
}

/** Only for waiting: whether it held is judged from the journal. */
function holds(attempt: Attempt, check: CheckRecord, value: unknown): boolean {
  if (check.golden || check.only) return false;
  const resolved = attempt.scope.forMatching({ expect: check.expect, count: check.count });
  if (resolved.missing.length > 0) return false;
  const expectation = resolved.value as Expectation;
  const { edge, givesResult } = checkKind(check.kind) ?? {};
  if (givesResult) return holdExchange(expectation, value).held;
  if (!edge) return holdSeen(expectation, value).held;
  const where = attempt.scope.forMatching({ expect: check.query.where }).value as Expectation;
  return holdCalls(expectation, value, where.expect).held;
}
