/** What the lines of a script may refer to: the request that they answer, and what steps gave, as it becomes known. */
import type { Clock } from '../kernel/clock.ts';
import { limits } from '../kernel/limits.ts';
import { nearest } from '../kernel/nearest.ts';
import { Problem, Problems, problemsIn } from '../kernel/problem.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import type { MatchResult } from '../patterns/match-result.ts';
import {
  isEmptyValue,
  namesBeside,
  type Resolved,
  referencesIn,
  resolveInScope,
  resolvePattern,
  whyMissing,
} from '../patterns/scope.ts';

/** What a step gave, under the references of the scripts to it: `ticket.json.id`. */
export interface StepGave {
  readonly step: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** By reference without a value: the names of what is there instead. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
}

/** A line refers to something that is not there. */
export class MissingValue extends Error {}

/** Of one attempt. */
export class ScriptValues {
  readonly #clock: Clock;
  readonly #values: Record<string, unknown> = {};
  readonly #beside: Record<string, readonly string[]> = {};
  readonly #ended = new Set<string>();
  #news = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  learn({ step, values, beside }: StepGave): void {
    this.#ended.add(step);
    Object.assign(this.#values, values);
    Object.assign(this.#beside, beside);
    this.#news.abort();
    this.#news = new AbortController();
  }

  /** It refers to a step that has not ended. */
  isEarly(template: unknown): boolean {
    return referencesIn(template).some(
      ({ path: [head = ''] }) => head !== 'request' && !this.#ended.has(head),
    );
  }

  /** Until the steps that it refers to have ended. Not forever: one of them may be waiting for this answer. */
  async wait(template: unknown, signal: AbortSignal): Promise<void> {
    const endsAt = this.#clock.monotonic() + limits.stepResultMs;
    while (this.isEarly(template) && !signal.aborted) {
      const leftMs = endsAt - this.#clock.monotonic();
      if (leftMs <= 0) return;
      const either = AbortSignal.any([signal, this.#news.signal]);
      await this.#clock.sleep(leftMs, either).catch(() => undefined); // there is news, or nobody waits any more
    }
  }

  /** Throws a `MissingValue`. */
  fill<Part>(template: Part, request: unknown): Part {
    return this.#found(resolveInScope(template, this.#values, { request }), request) as Part;
  }

  /** The value it refers to is data, never an operator. Throws a `MissingValue`. */
  fillPattern(pattern: unknown, request: unknown): unknown {
    return this.#found(resolvePattern(pattern, { ...this.#values, request }), request);
  }

  /** What has no value, or is not a valid pattern with its values, does not match. */
  match(pattern: unknown, request: unknown): MatchResult {
    try {
      return matchPattern(this.fillPattern(pattern, request), request);
    } catch (error) {
      const isBadPattern = error instanceof Problem || error instanceof Problems;
      if (!isBadPattern && !(error instanceof MissingValue)) throw error;
      const observed = isBadPattern ? (problemsIn(error)[0]?.what ?? '') : error.message;
      const mismatches = [{ path: '$', expected: 'a pattern with values', observed }];
      return { matched: false, mismatches, omitted: 0, reads: [] };
    }
  }

  #found({ value, missing: [missing] }: Resolved, request: unknown): unknown {
    if (missing === undefined) return value;
    const scope = { ...this.#values, request };
    if (isEmptyValue(missing, scope)) throw new MissingValue(whyMissing(missing, scope));
    throw new MissingValue(`\${${missing}} has no value: ${this.#why(missing, request)}`);
  }

  #why(missing: string, request: unknown): string {
    const [head = '', ...rest] = missing.split('.');
    if (head === 'request')
      return `the request has no ${rest.join('.')}${guess(missing, namesBeside(missing, { request }))}`;
    const known = Object.keys(this.#values);
    if (this.#ended.has(head))
      return `the step \`${head}\` gave no ${rest.join('.')}${guess(missing, this.#beside[missing] ?? known)}`;
    return `the step \`${head}\` had not ended (known: ${known.join(', ') || 'nothing of a step'}); refer to an earlier step or to \${request.…}`;
  }
}

/** Names differ at one place of their paths; before it they are the same. */
function guess(missing: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const at = (names[0] as string).split('.').length - 1;
  const word = nearest(
    missing.split('.')[at] ?? '',
    names.map((name) => name.split('.')[at] ?? ''),
  );
  const meant = names.find((name) => name.split('.')[at] === word);
  return `${meant === undefined ? ';' : `; did you mean \${${meant}}?`} known: ${names.join(', ')}`;
}

/** A line, finished where nothing has to be known for it. */
export interface OpenLine<Line> {
  readonly line: Line;
  /** Has references that are filled in when a request comes. */
  readonly isTemplate: boolean;
}

export function openLine<Line>(line: Line): OpenLine<Line> {
  const isTemplate = referencesIn(line).length > 0;
  return { line: isTemplate ? line : (resolveInScope(line, {}).value as Line), isTemplate };
}
