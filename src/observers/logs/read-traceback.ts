/** Reads a whole Python traceback below its head: with its causes, the exceptions of a group, and one that is quoted in it. Pure. */
import { prefixLength } from './line-prefix.ts';
import { endingOf, withoutPrefix } from './traceback-end.ts';
import { tracebackIn } from './traceback-in.ts';

export interface Traceback {
  /** Indexes of the lines below that belong to it: what another thread wrote between them does not. */
  readonly own: readonly number[];
  /** The last one, which those before have caused; undefined where it is not written yet. */
  readonly exception: string | undefined;
  /** Those in it, if it is a group: without an index where they have no traceback of their own. */
  readonly members: readonly { readonly index?: number; readonly exception: string }[];
  /** Where it was raised: in the user's code rather than in a library. */
  readonly at?: string;
}

const isLink =
  /^(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):$/;
const tree = /^ *(?:\| ?|(?=\+))/;
const library = /[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen /;
/** What other threads, or a message of several lines, may put between two of its parts. */
const mostBetween = 20;

export function readTraceback(before: string, lines: readonly string[]): Traceback {
  const reading = new Reading();
  const managed = before.slice(0, prefixLength(before));
  const prefix = /^ *[|+] $/.test(before.slice(managed.length)) ? managed : before;
  for (const [index, raw] of lines.entries())
    if (!reading.take(index, withoutPrefix(raw, prefix).trimEnd(), tracebackIn(raw) !== undefined)) break;
  const { own, exception, members, place } = reading;
  return { own, exception, members, ...(place ? { at: place.at } : {}) };
}

class Reading {
  readonly own: number[] = [];
  exception: string | undefined;
  members: Array<{ readonly index?: number; readonly exception: string }> = [];
  place: { readonly at: string; readonly isLibrary: boolean } | undefined;
  /** What comes next: frames and an exception, perhaps more, or the head of what was caused. */
  #next: 'frames' | 'more' | 'head' = 'frames';
  #member: number | undefined;
  #isQuoting = false;
  #blanks: number[] = [];
  #between = 0;

  /** False once it has ended. */
  take(index: number, line: string, isHead: boolean): boolean {
    // Within a group, no head has a plus.
    const isTree = /^ *[|+]/.test(line) && !(isHead && /^ *\+ /.test(line));
    const inner = isTree ? line.replace(tree, '') : line;
    if (this.#next === 'frames') return this.#frames(index, inner, isHead);
    if (isTree && this.#next === 'more') return this.#branch(index, inner, isHead);
    if (isHead && (this.#next === 'head' || this.#isQuoting)) return this.#begin(index);
    if (isHead) return false;
    if (line === '') return this.#blanks.push(index) > 0;
    if (isLink.test(line)) {
      this.own.push(...this.#blanks);
      this.#next = 'head';
      return this.#keep(index);
    }
    if (line === '"""') {
      this.#isQuoting = this.exception?.endsWith(':') ?? false;
      return this.#keep(index);
    }
    return this.#passBy();
  }

  #passBy(): boolean {
    this.#between += 1;
    return this.#between <= mostBetween;
  }

  #frames(index: number, inner: string, isHead: boolean): boolean {
    if (isHead) return false;
    if (/^[\s│╭╰]/.test(inner)) return this.#frame(index, inner);
    const exception = endingOf(inner);
    if (exception === undefined) return this.#passBy();
    this.exception = exception;
    this.#next = 'more';
    return this.#keep(index);
  }

  /** Below the exception of a group. */
  #branch(index: number, inner: string, isHead: boolean): boolean {
    if (isHead) this.#member = index;
    const exception = isHead ? undefined : endingOf(inner);
    if (exception !== undefined) {
      this.members.push({ exception, ...(this.#member === undefined ? {} : { index: this.#member }) });
      this.#member = undefined;
    }
    return this.#frame(index, inner);
  }

  #begin(index: number): boolean {
    this.own.push(...this.#blanks);
    this.members = [];
    this.#next = 'frames';
    return this.#keep(index);
  }

  #frame(index: number, inner: string): boolean {
    const [, file, line, name] = /^\s*File "(.+?)", line (\d+)(?:, in (.+))?$/.exec(inner) ?? [];
    const isLibrary = library.test(file ?? '');
    if (file !== undefined && (!isLibrary || this.place?.isLibrary !== false))
      this.place = { at: `${file}:${line}${name === undefined ? '' : ` in ${name}`}`, isLibrary };
    return this.#keep(index);
  }

  #keep(index: number): true {
    this.own.push(index);
    this.#blanks = [];
    this.#between = 0;
    return true;
  }
}
