/** Compares the totals that a JUnit report states with what was read: nothing may have been lost. Pure. */

type Attributes = ReadonlyMap<string, string>;

/** What was read so far. */
interface Counts {
  readonly cases: number;
  readonly skipped: number;
  /** Failure elements, of tests and of suites. */
  readonly faults: number;
  /** Suites without any test: some runners count each as one. */
  readonly empty: number;
}

interface OpenTotal {
  readonly element: string;
  readonly attributes: Attributes;
  /** What had been read when it was opened. */
  readonly before: Counts;
  /** An enclosing element states the number of tests: the outermost total counts, because dialects differ inside. */
  readonly isInside: boolean;
}

export class ReportTotals {
  readonly #open: OpenTotal[] = [];
  #counts: Counts = { cases: 0, skipped: 0, faults: 0, empty: 0 };
  #contradiction: string | undefined;

  /** The first contradiction. */
  get contradiction(): string | undefined {
    return this.#contradiction;
  }

  count(what: keyof Counts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 };
  }

  open(element: string, attributes: Attributes): void {
    const isInside = this.#open.some((around) => around.attributes.has('tests'));
    this.#open.push({ element, attributes, before: this.#counts, isInside });
  }

  close(element: string): void {
    const at = this.#open.findLastIndex((open) => open.element === element);
    const closed = this.#open[at];
    if (!closed) return;
    this.#open.length = at;
    const read = since(closed.before, this.#counts);
    this.#contradiction ??= contradictionOf(closed, read);
    if (element === 'testsuite' && read.cases === 0) this.count('empty');
  }
}

function since(before: Counts, now: Counts): Counts {
  return {
    cases: now.cases - before.cases,
    skipped: now.skipped - before.skipped,
    faults: now.faults - before.faults,
    empty: now.empty - before.empty,
  };
}

/** Only totals that exceed what was read: runners differ in what else they count, such as nested suites. */
function contradictionOf({ element, attributes, isInside }: OpenTotal, read: Counts): string | undefined {
  const name = attributes.get('name') ?? '';
  const shown = name === '' ? `<${element}>` : `<${element} name=${JSON.stringify(name.slice(0, 100))}>`;
  for (const key of ['failures', 'errors']) {
    const said = stated(attributes, key);
    if (said > read.faults) return `${shown} says ${key}="${said}", but contains ${read.faults}`;
  }
  const said = stated(attributes, 'tests');
  const unrun = ['skipped', 'disabled', 'ignored', 'skips'].map((key) => stated(attributes, key));
  const leftOut = Math.max(0, unrun.reduce((sum, count) => sum + count, 0) - read.skipped);
  // Some runners count a test twice if it passed but its clean-up failed.
  const most = read.cases + read.empty + read.faults + leftOut;
  return !isInside && said > most ? `${shown} says tests="${said}", but contains ${read.cases}` : undefined;
}

function stated(attributes: Attributes, key: string): number {
  const written = attributes.get(key) ?? '';
  return /^\d{1,9}$/.test(written.trim()) ? Number(written) : 0;
}
