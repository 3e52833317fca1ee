/** A hash of what a trial proves: a result with another hash is not evidence for it. */
import { createHash } from 'node:crypto';
import type { CheckRecord, TrialRecord } from '../checks/trial-record.ts';

/** Covers what it does, expects and checks; titles, tags, lines and `covers` may change. */
export function trialHash(trial: Pick<TrialRecord, 'written' | 'steps' | 'checks'>): string {
  const { written, steps, checks } = trial;
  const expected = steps.map(({ name, expect }) => [name, expect]);
  const text = JSON.stringify([written, expected, checks.map(meaningOf)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function meaningOf({ title: _title, line: _line, golden, ...check }: CheckRecord): unknown {
  return { ...check, ...(golden ? { golden: golden.file } : {}) };
}
