/** A probe samples what one check looks at, and writes each value down once, with how long it stood. */
import { holdCalls, holdSeen } from '../../checks/doubtful-parts.ts';
import type { Expectation } from '../../checks/hold-against.ts';
import { holdExchange } from '../../checks/hold-exchange.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { redactValues } from '../../journal/redact-values.ts';
import type { ProbeEnd } from '../../journal/trial-event.ts';
import { CannotSee } from '../../observers/observer.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { type CheckKind, checkDocuments } from '../document/check-documents.ts';
import type { RawMap } from '../read/placed.ts';
import type { Attempt } from './attempt.ts';
import { type FilledIn, filledIn } from './filled-in.ts';
import { mayStillCome } from './may-still-come.ts';

export interface Probe {
  readonly check: CheckRecord;
  /** Looks once; true when what was seen is what the check expects. */
  sample(): Promise<boolean>;
  /** Looks until it holds or the time is over. */
  until(withinMs: number): Promise<boolean>;
  /** What the last look gave, as it is, not as it is written down; undefined before the first. */
  seen(): Seen | undefined;
  finish(end: ProbeEnd): void;
}

export type Seen = { readonly value: unknown } | { readonly blind: string };

interface Standing {
  readonly text: string;
  readonly value?: unknown;
  readonly blind?: string;
  readonly from: number;
  to: number;
  samples: number;
}

const firstPauseMs = 4;
const longestPauseMs = 100;

/** `name` is the check's id, or what else the samples are kept under. */
export function createProbe(attempt: Attempt, check: CheckRecord, name = check.id): Probe {
  const { journal, stage, signal } = attempt;
  let standing: Standing | undefined;
  let hopeless = false;
  let last: Seen | undefined;
  const write = (): void => {
    if (!standing) return;
    const { value, blind, from, to, samples } = standing;
    if (blind === undefined) journal.emit({ type: 'probe.sampled', probe: name, value, from, to, samples });
    else journal.emit({ type: 'probe.blind', probe: name, because: blind, from, to, samples });
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
      const value = isCopied(check.kind) ? redactValues(raw, stage.redactor) : attempt.knowledge.clean(raw);
      note({ value });
      const isHeld = holds(attempt, check, value);
      hopeless = !isHeld && isFinal(attempt, check, value);
      return isHeld;
    } catch (error) {
      // A look that was cut off by the end of the attempt has seen nothing.
      if (signal.aborted) return false;
      if (!(error instanceof CannotSee)) throw error;
      hopeless = error.hope === 'never';
      last = { blind: error.message };
      note(last);
      return false;
    }
  };
  return {
    check,
    sample,
    seen: () => last,
    until: async (withinMs) => {
      const endsAt = stage.clock.monotonic() + withinMs;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.4, longestPauseMs)) {
        if (await sample()) return true;
        const leftMs = endsAt - stage.clock.monotonic();
        if (leftMs <= 0 || hopeless || signal.aborted) return false;
        await stage.clock.sleep(Math.min(pauseMs, leftMs), signal).catch(() => 'the next look is the last');
      }
    },
    finish: (end) => {
      write();
      standing = undefined;
      journal.emit({ type: 'probe.ended', probe: name, end });
    },
  };
}

/** A check that a step waits for, as it is judged when it was waited for in vain. */
export function awaited(check: CheckRecord, step: string, withinMs: number): CheckRecord {
  const title = `wait for ${check.source}`;
  return { ...check, id: `when ${step}`, title, mode: 'within', withinMs, absence: false };
}

/** What the keeper has written down is clean. */
export function isCopied(kind: string): boolean {
  return kind === 'calls' || kind === 'spans';
}

/** What there is to see now. */
async function look(attempt: Attempt, check: CheckRecord): Promise<unknown> {
  if (check.kind === 'exchange') {
    const name = String(check.query.exchange);
    const act = attempt.acts.get(name);
    if (!act) throw new CannotSee(`the step \`${name}\` was not done`, 'never');
    return act.evidence();
  }
  const { value: query, missing } = attempt.knowledge.forQuery(check.query);
  if (missing.length > 0) throw new CannotSee(`\${${missing[0]}} has no value`, 'never');
  const { value, fault } = filledQuery(check, query as RawMap);
  if (fault !== undefined) throw new CannotSee(fault, 'never');
  const watch = await attempt.watches.open(check.kind);
  return watch.look(value);
}

function filledQuery({ kind, query }: CheckRecord, filled: RawMap): FilledIn {
  const isOpen = Object.hasOwn(checkDocuments, kind) && referencesIn(query).length > 0;
  return isOpen ? filledIn(checkDocuments[kind as CheckKind].partial().strip(), filled) : { value: filled };
}

/** The answer of a step that is done stays as it is, however often it is looked at. */
function isFinal(attempt: Attempt, check: CheckRecord, value: unknown): boolean {
  if (check.kind !== 'exchange') return false;
  const name = String(check.query.exchange);
  const act = attempt.acts.get(name);
  if (act === undefined || !attempt.stillOpen.has(name)) return true;
  return !mayStillCome(act, check.expect, (expect) => holds(attempt, { ...check, expect }, value));
}

/** Only for waiting: whether it held is judged from what was written down. */
function holds(attempt: Attempt, check: CheckRecord, value: unknown): boolean {
  if (check.golden || check.only) return false;
  const resolved = attempt.knowledge.forMatching({ expect: check.expect, count: check.count });
  if (resolved.missing.length > 0) return false;
  const expectation = resolved.value as Expectation;
  if (check.kind === 'exchange') return holdExchange(expectation, value).held;
  if (check.kind !== 'calls') return holdSeen(expectation, value).held;
  const where = attempt.knowledge.forMatching({ expect: check.query.where }).value as Expectation;
  return holdCalls(expectation, value, where.expect).held;
}
