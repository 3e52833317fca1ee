/** What a third party has been told to say: which line answers a request, and which line never did. */
import { Problem } from '../../kernel/problem.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { printValue } from '../../patterns/print-value.ts';
import { refuseBadPattern } from '../../patterns/refuse-bad-pattern.ts';
import { peerLimits } from './peer-limits.ts';
import type { PeerLine } from './peer-line.ts';
import type { PeerRequest } from './peer-request.ts';
import { fitsRoute, parseRoute, type Route } from './route.ts';

export interface ScriptOptions {
  /** For texts: `resource messenger`. */
  readonly where: string;
  /** Of this attempt. */
  readonly lines: unknown;
  /** Those that hold always, used as often as they fit. */
  readonly standing: readonly unknown[];
}

export interface FoundLine {
  readonly line: PeerLine;
  /** From 1, among those of the trial or among the standing ones. */
  readonly number: number;
  readonly isStanding: boolean;
}

export interface UnusedLine {
  readonly number: number;
  readonly what: string;
}

export class PeerScript {
  readonly #lines: readonly Line[];

  /** Throws a problem when something is no line. */
  constructor({ where, lines, standing }: ScriptOptions) {
    const trialLines = readLines(lines, where).map((line, index) => new Line(line, index + 1, false, where));
    const others = readLines(standing, where).map((line, index) => new Line(line, index + 1, true, where));
    this.#lines = [...trialLines, ...others];
  }

  /** The first line that fits and is not used up; it counts as used from now on. */
  take(request: PeerRequest): FoundLine | undefined {
    const found = this.#lines.find((line) => line.isLeft && line.misfit(request) === undefined);
    if (found) found.used += 1;
    return found;
  }

  /** One text for each line: what it is for, and why it does not answer this request. */
  explain(request: PeerRequest): readonly string[] {
    const all = this.#lines.map((line) => `${line.title}: ${line.misfit(request) ?? 'used up'}`);
    const shown = all.slice(0, peerLimits.namedLines);
    return all.length > shown.length ? [...shown, `and ${all.length - shown.length} more`] : shown;
  }

  unused(): readonly UnusedLine[] {
    return this.#lines.flatMap((line) => (line.isOwed ? [{ number: line.number, what: line.owed }] : []));
  }
}

class Line implements FoundLine {
  readonly line: PeerLine;
  readonly number: number;
  readonly isStanding: boolean;
  readonly #route: Route;
  used = 0;

  constructor(line: PeerLine, number: number, isStanding: boolean, where: string) {
    this.line = line;
    this.number = number;
    this.isStanding = isStanding;
    const route = parseRoute(line.on);
    if (!route) throw badLine(where, `\`on: ${printValue(line.on)}\``, 'a method and a path: `POST /send`');
    this.#route = route;
    if (line.where !== undefined) refuseBadPattern(line.where);
  }

  get title(): string {
    const { on, where } = this.line;
    const condition = where === undefined ? '' : ` where ${printValue(where, peerLimits.printedChars)}`;
    return `${this.isStanding ? 'standing line' : 'line'} ${this.number}, ${on}${condition}`;
  }

  get isLeft(): boolean {
    const { times = 1 } = this.line;
    return this.isStanding || times === 'any' || this.used < times;
  }

  get isOwed(): boolean {
    return !this.isStanding && this.line.times !== 'any' && this.isLeft;
  }

  get owed(): string {
    const { on, times = 1 } = this.line;
    return times === 1 ? `answer to ${on}` : `answer to ${on}, used ${this.used} of ${times} times`;
  }

  /** Why it does not fit; undefined where it does. */
  misfit(request: PeerRequest): string | undefined {
    if (!fitsRoute(this.#route, request.method, request.path)) return 'another method or path';
    if (this.line.where === undefined) return undefined;
    const { matched, mismatches, exceeded } = matchPattern(this.line.where, request);
    if (matched) return undefined;
    if (exceeded !== undefined) return `\`where\` could not be decided within ${exceeded}`;
    const [first] = mismatches;
    return first
      ? `at ${first.path} expected ${first.expected}, observed ${first.observed}`
      : 'another request';
  }
}

function readLines(written: unknown, where: string): readonly PeerLine[] {
  if (written === undefined) return [];
  if (!Array.isArray(written))
    throw badLine(where, `a script that is ${printValue(written)}`, 'a list of lines');
  if (written.length > peerLimits.lines)
    throw badLine(where, `a script of ${written.length} lines`, `at most ${peerLimits.lines} lines`);
  return written.map((line: unknown) => {
    if (isLine(line)) return line;
    throw badLine(where, `a line that is ${printValue(line)}`, 'a map with `on`');
  });
}

function isLine(line: unknown): line is PeerLine {
  return typeof line === 'object' && line !== null && 'on' in line && typeof line.on === 'string';
}

function badLine(where: string, what: string, allowed: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what,
    allowed,
    next: 'correct the script of the trial',
  });
}
