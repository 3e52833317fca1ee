/** Parses a JUnit report into its tests: any runner's dialect, nested suites, truncated reports. Pure. */
import { defined } from '../../../kernel/defined.ts';
import { observeLimits } from './observe-limits.ts';
import { ReportTotals } from './report-totals.ts';
import { scanXml, XmlFault, type XmlPart } from './scan-xml.ts';

export interface JunitReport {
  readonly suites: readonly JunitSuite[];
  readonly tests: readonly JunitTest[];
  /** Why not everything was read; what was read before is kept. */
  readonly fault?: string;
}

export interface JunitSuite {
  readonly name: string;
  /** The enclosing suite, as an index in `suites`. */
  readonly parent: number | null;
  /** As written: dialects differ in its meaning. */
  readonly timestamp?: string;
  readonly durationMs: number | null;
}

type JunitOutcome = 'passed' | 'failed' | 'skipped';

export interface JunitTest {
  /** Names of the enclosing suites, outermost first. */
  readonly path: readonly string[];
  /** The innermost of them, as an index in `suites`. */
  readonly suite: number | null;
  readonly classname?: string;
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly outcome: JunitOutcome;
  /** Why it failed or was skipped, in a few words. */
  readonly message?: string;
  /** Everything that the runner wrote about the failure. */
  readonly text?: string;
  readonly timestamp?: string;
  readonly durationMs: number | null;
}

export function parseJunit(source: string): JunitReport {
  const reading = new JunitReading();
  try {
    for (const part of scanXml(source)) reading.take(part);
    return reading.report(reading.openElement);
  } catch (error) {
    if (!(error instanceof XmlFault || error instanceof TooMuch)) throw error;
    return reading.report(error.message);
  }
}

/** The report exceeds a limit. */
class TooMuch extends Error {}

type Attributes = ReadonlyMap<string, string>;

/** What is known of a test while its element is open. */
interface OpenTest {
  /** The element that closes it: a suite that failed as a whole has only a failure element, and counts as a test. */
  readonly element: string;
  readonly attributes: Attributes;
  outcome: JunitOutcome;
  isSkipped: boolean;
  message: string;
  text: string;
  /** A property of the test, which every runner can be configured to write. */
  timestamp: string | undefined;
}

const faults = ['failure', 'error'];
const suiteElements = ['testsuites', 'testsuite'];
const unrun = ['disabled', 'notrun', 'skipped', 'ignored', 'suppressed'];
const wentWrong = ['fail', 'failed', 'failure', 'error', 'errored', 'broken'];
const suiteItself = 'the suite itself';

class JunitReading {
  readonly #suites: JunitSuite[] = [];
  readonly #tests: JunitTest[] = [];
  readonly #around: { readonly name: string; readonly index: number }[] = [];
  readonly #elements: string[] = [];
  readonly #totals = new ReportTotals();
  #test: OpenTest | undefined;
  #hasRoot = false;

  take(part: XmlPart): void {
    if (part.kind === 'open') this.#open(part.name, part.attributes);
    else if (part.kind === 'close') this.#close(part.name);
    else this.#text(part.text);
  }

  /** Why the report is incomplete, if an element was never closed. */
  get openElement(): string | undefined {
    const open = this.#elements.at(-1);
    return open === undefined ? undefined : `it ends inside <${open}>`;
  }

  report(fault: string | undefined): JunitReport {
    const reported =
      fault ??
      (this.#hasRoot ? this.#totals.contradiction : 'it contains no <testsuites> and no <testsuite>');
    return defined({ suites: this.#suites, tests: this.#tests, fault: reported });
  }

  #open(name: string, attributes: Attributes): void {
    if (this.#elements.length >= observeLimits.suiteDepth)
      throw new TooMuch('elements are nested too deeply');
    const around = this.#elements.at(-1) ?? '';
    this.#elements.push(name);
    if (suiteElements.includes(name)) {
      this.#hasRoot = true;
      this.#totals.open(name, attributes);
    }
    if (name === 'testsuite') this.#openSuite(attributes);
    else if (name === 'testcase') this.#openTest(attributes);
    else if (faults.includes(name)) this.#openFault(name, attributes, around);
    else if (this.#test && name === 'skipped') skip(this.#test, attributes);
    else if (this.#test && name === 'property' && attributes.get('name') === 'timestamp')
      this.#test.timestamp = attributes.get('value');
  }

  #openSuite(attributes: Attributes): void {
    const name = clip(attributes.get('name') ?? '', observeLimits.nameChars);
    const timestamp = attributes.get('timestamp');
    const parent = this.#around.at(-1)?.index ?? null;
    this.#around.push({ name, index: this.#suites.length });
    this.#suites.push(defined({ name, parent, timestamp, durationMs: milliseconds(attributes.get('time')) }));
  }

  #openTest(attributes: Attributes): void {
    const words = ['status', 'result'].map((key) => (attributes.get(key) ?? '').trim().toLowerCase());
    const isFailed = words.some((word) => wentWrong.includes(word));
    const isSkipped = !isFailed && words.some((word) => unrun.includes(word));
    this.#totals.count('cases');
    if (isFailed) this.#totals.count('faults');
    const outcome = isFailed ? 'failed' : 'passed';
    this.#test = { ...newTest('testcase', attributes), outcome, isSkipped };
  }

  /** A failure outside of any test means that a suite, such as a file that could not be loaded, failed as a whole. */
  #openFault(name: string, attributes: Attributes, around: string): void {
    if (!this.#test && !suiteElements.includes(around)) return;
    this.#totals.count('faults');
    this.#test ??= newTest(name, new Map([['name', suiteItself]]));
    fail(this.#test, attributes);
  }

  #text(text: string): void {
    const test = this.#test;
    if (!test || !faults.includes(this.#elements.at(-1) ?? '')) return;
    test.text = clip(`${test.text}${text}`, observeLimits.failureChars);
  }

  /** A name that does not match closes everything in between. */
  #close(name: string): void {
    const at = this.#elements.lastIndexOf(name);
    if (at < 0) return;
    this.#elements.length = at;
    if (this.#test?.element === name) {
      this.#keep(this.#test);
      this.#test = undefined;
    }
    if (suiteElements.includes(name)) this.#totals.close(name);
    if (name === 'testsuite') this.#around.pop();
  }

  #keep({ attributes, outcome, isSkipped, message, text, timestamp: reported }: OpenTest): void {
    if (this.#tests.length >= observeLimits.tests)
      throw new TooMuch(`more than ${observeLimits.tests} tests`);
    if (isSkipped) this.#totals.count('skipped');
    const written = (key: string): string | undefined => attributes.get(key);
    const line = Number(written('line') ?? written('lineno'));
    const file = written('file');
    const classname = written('classname') ?? written('class');
    const timestamp = reported ?? written('timestamp');
    this.#tests.push({
      path: this.#around.map((suite) => suite.name).filter((name) => name !== ''),
      suite: this.#around.at(-1)?.index ?? null,
      ...(classname === undefined ? {} : { classname: clip(classname, observeLimits.nameChars) }),
      name: clip(written('name') ?? 'a test without a name', observeLimits.nameChars),
      ...defined({ file }),
      ...(Number.isInteger(line) && line > 0 ? { line } : {}),
      // A test marked as unfinished may fail without failing the run.
      outcome: isSkipped ? 'skipped' : outcome,
      ...(message.trim() === '' ? {} : { message: message.trim() }),
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      ...defined({ timestamp }),
      durationMs: milliseconds(written('time') ?? written('duration')),
    });
  }
}

function newTest(element: string, attributes: Attributes): OpenTest {
  const nothing = { outcome: 'passed', isSkipped: false, message: '', text: '' } as const;
  return { element, attributes, ...nothing, timestamp: undefined };
}

function fail(test: OpenTest, attributes: Attributes): void {
  test.outcome = 'failed';
  if (test.message !== '') return;
  test.message = clip(attributes.get('message') ?? attributes.get('type') ?? '', observeLimits.messageChars);
}

function skip(test: OpenTest, attributes: Attributes): void {
  test.isSkipped = true;
  if (test.message === '') test.message = clip(attributes.get('message') ?? '', observeLimits.messageChars);
}

/** Seconds as written, possibly with commas for thousands. */
function milliseconds(seconds: string | undefined): number | null {
  if (seconds === undefined || seconds.trim() === '') return null;
  const value = Number(seconds.replaceAll(',', '')) * 1_000;
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
