/** What the lines of a script may refer to: the request that they answer, and what steps gave, as it becomes known. */
import type { Clock } from '../kernel/clock.ts';
import { limits } from '../kernel/limits.ts';
import { Problem, Problems, problemsIn } from '../kernel/problem.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import type { MatchResult } from '../patterns/match-result.ts';
import { type Resolved, referencesIn, resolveInScope, resolvePattern } from '../patterns/scope.ts';

/** What a step gave, under the references of the scripts to it: `ticket.json.id`. */
export interface StepGave {
  readonly step: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A line refers to something that is not there. */
export class MissingValue extends Error {}

/** Of one attempt. */
export class ScriptValues {
  readonly #clock: Clock;
  readonly #values: Record<string, unknown> = {};
  readonly #ended = new Set<string>();
  #news = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  learn({ step, values }: StepGave): void {
    this.#ended.add(step);
    Object.assign(this.#values, values);
    this.#news.abort();
    this.#news = new AbortController();
  }

  /** It refers to a step that has not ended. */
  isEarly(template: unknown): boolean {
    return referencesIn(template).some(
      ({ path: [head = ''] }) => head !== 'request' && !this.#ended.has(head),
    );
  }

  /** Until the steps that it refers to have ended. Not for ever: one of them may be waiting for what we are to answer. */
  async wait(template: unknown, signal: AbortSignal): Promise<void> {
    const endsAt = this.#clock.monotonic() + limits.stepResultMs;
    while (this.isEarly(template) && !signal.aborted) {
      const leftMs = endsAt - this.#clock.monotonic();
      if (leftMs <= 0) return;
      const either = AbortSignal.any([signal, this.#news.signal]);
      await this.#clock.sleep(leftMs, either).catch(() => 'there is news, or nobody waits any more');
    }
  }

  /** Throws a `MissingValue`. */
  fill<Part>(template: Part, request: unknown): Part {
    return this.#found(resolveInScope(template, this.#values, { request })) as Part;
  }

  /** What it stands for is data, never an operator. Throws a `MissingValue`. */
  fillPattern(pattern: unknown, request: unknown): unknown {
    return this.#found(resolvePattern(pattern, { ...this.#values, request }));
  }

  /** What has no value, or is no pattern with its values, does not match. */
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

  #found({ value, missing: [missing] }: Resolved): unknown {
    if (missing === undefined) return value;
    const [head = '', ...rest] = missing.split('.');
    const known = Object.keys(this.#values).join(', ') || 'nothing of a step';
    throw new MissingValue(`\${${missing}} has no value: ${this.#why(head, rest.join('.'), known)}`);
  }

  #why(head: string, rest: string, known: string): string {
    if (head === 'request') return `the request has no ${rest}`;
    if (this.#ended.has(head)) return `the step \`${head}\` gave no ${rest}; known: ${known}`;
    return `the step \`${head}\` had not ended (known: ${known}); refer to an earlier step or to \${request.…}`;
  }
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
