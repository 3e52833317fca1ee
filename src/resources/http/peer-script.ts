/** The script of a third party: which requests its lines are for, which line answers one, and which line never did. */
import { Problem } from '../../kernel/problem.ts';
import { checkPattern } from '../../patterns/check-pattern.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { selects } from '../../patterns/match-result.ts';
import { printValue } from '../../patterns/print-value.ts';
import { openLine, type ScriptValues } from '../script-values.ts';
import { peerLimits } from './peer-limits.ts';
import type { PeerLine } from './peer-line.ts';
import type { PeerRequest } from './peer-request.ts';

interface ScriptOptions {
  /** For texts: `resource messenger`. */
  readonly where: string;
  /** Of this attempt. */
  readonly lines: unknown;
  /** Those that hold always, used as often as they fit. */
  readonly standing: readonly unknown[];
  readonly values: ScriptValues;
}

export interface FoundLine {
  readonly line: PeerLine;
  /** Has references that are filled in when a request comes. */
  readonly isTemplate: boolean;
  /** From 1, among those of the trial or among the standing ones. */
  readonly number: number;
  readonly isStanding: boolean;
  /** What matched the wildcards of its route. */
  gaps(request: PeerRequest): readonly string[];
}

export class PeerScript {
  readonly #lines: readonly Line[];

  /** Throws a problem when something is not a line. */
  constructor({ where, lines, standing, values }: ScriptOptions) {
    const open = (written: unknown, isStanding: boolean): Line[] =>
      readLines(written, where).map(
        (line, index) => new Line(line, { number: index + 1, isStanding, where, values }),
      );
    this.#lines = [...open(lines, false), ...open(standing, true)];
  }

  /**
   * The first line that fits and is not used up; it counts as used from now on. A line before it may still wait for what a step
   * gives: then that line, unless it is the last time that we ask.
   */
  take(request: PeerRequest, isLast = false): FoundLine | { readonly undecided: PeerLine } | undefined {
    for (const line of this.#lines) {
      if (!line.isLeft) continue;
      if (!isLast && line.isUndecided(request)) return { undecided: line.line };
      if (line.misfit(request) !== undefined) continue;
      line.used += 1;
      return line;
    }
    return undefined;
  }

  /** One text for each line: what it is for, and why it does not answer this request. */
  explain(request: PeerRequest): readonly string[] {
    const all = this.#lines.map((line) => `${line.title}: ${line.misfit(request) ?? 'used up'}`);
    const shown = all.slice(0, peerLimits.namedLines);
    return all.length > shown.length ? [...shown, `and ${all.length - shown.length} more`] : shown;
  }

  /** How many lines must be used and were not. */
  owed(): number {
    return this.#lines.filter((line) => line.isOwed).length;
  }

  unused(): readonly { readonly number: number; readonly what: string }[] {
    return this.#lines.flatMap((line) => (line.isOwed ? [{ number: line.number, what: line.owed }] : []));
  }
}

type LineAbout = Pick<FoundLine, 'number' | 'isStanding'> & Pick<ScriptOptions, 'where' | 'values'>;

class Line implements FoundLine {
  readonly line: PeerLine;
  readonly isTemplate: boolean;
  readonly number: number;
  readonly isStanding: boolean;
  readonly #values: ScriptValues;
  readonly #route: Route;
  used = 0;

  constructor(written: PeerLine, { number, isStanding, where, values }: LineAbout) {
    const { line, isTemplate } = openLine(written);
    this.line = line;
    this.isTemplate = isTemplate;
    this.number = number;
    this.isStanding = isStanding;
    this.#values = values;
    const route = parseRoute(line.on);
    if (!route) throw badLine(where, `\`on: ${printValue(line.on)}\``, 'a method and a path: `POST /send`');
    this.#route = route;
    const [fault] = line.where === undefined ? [] : checkPattern(line.where);
    if (fault) throw badLine(`${where}, \`where\` at ${fault.path}`, fault.what, fault.allowed);
  }

  gaps({ path }: PeerRequest): readonly string[] {
    return gapsIn(this.line.on, path);
  }

  /** The route fits, and whether the rest does depends on a step that has not ended. */
  isUndecided({ method, path }: PeerRequest): boolean {
    return this.isTemplate && fitsRoute(this.#route, method, path) && this.#values.isEarly(this.line.where);
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
    const { where } = this.line;
    const result = this.isTemplate ? this.#values.match(where, request) : matchPattern(where, request);
    if (selects(result)) return undefined;
    const { mismatches, exceeded } = result;
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

/** A character of the path, `*` for any of one segment, `**` for any at all. */
type Token = string;

export interface Route {
  /** `*` for every one. */
  readonly method: string;
  readonly tokens: readonly Token[];
}

/** `POST /send`, `GET /users/*`, `* /**`. Undefined when the text is not a route. */
export function parseRoute(on: string): Route | undefined {
  const [, method, path] = /^(\S+) +(\/\S*)$/.exec(on.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return { method: method.toUpperCase(), tokens: path.match(/\*\*|./gsu) ?? [] };
}

/** Takes a time that grows with the path and with the route, never with their product of gaps, as an expression would. */
export function fitsRoute(route: Route, method: string, path: string): boolean {
  if (route.method !== '*' && route.method !== method) return false;
  const { tokens } = route;
  let places = passGaps(new Set([0]), tokens);
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === '**' || (token === '*' && character !== '/')) next.add(place);
      else if (token === character) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = passGaps(next, tokens);
  }
  return places.has(tokens.length);
}

/** A gap may be empty. */
function passGaps(places: Set<number>, tokens: readonly Token[]): Set<number> {
  for (const place of places) if (tokens[place] === '*' || tokens[place] === '**') places.add(place + 1);
  return places;
}

/** The segments of a path for which a route has a gap, up to the first gap of any length. */
function gapsIn(on: string, path: string): readonly string[] {
  const segments = path.split('/');
  const written = on.slice(on.indexOf('/')).split('/');
  const end = written.findIndex((segment) => segment.includes('**'));
  return written
    .slice(0, end === -1 ? undefined : end)
    .flatMap((segment, index) => (segment.includes('*') ? [segments[index] ?? ''] : []));
}
