/** `check` and `expect`: evidence and pattern are sent as data, so that they can be judged again without this code. */
import { holdAgainst } from '../../../checks/hold-against.ts';
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { checkKind } from '../../../kinds/check-kinds.ts';
import { checkPattern } from '../../../patterns/check-pattern.ts';
import type { CheckOptions, FlowContext } from '../flow-context.ts';
import { flowLimits } from '../flow-limits.ts';
import type { Declaration, DeclaredEvidence } from '../flow-message.ts';
import { durationText, type FlowDesk, refuseUnknownOptions } from './flow-desk.ts';
import { plainCopy, plainPattern } from './plain-copy.ts';
import { StepFailed } from './step-failed.ts';

export function checksOf(desk: FlowDesk): Pick<FlowContext, 'check' | 'expect'> {
  const lines = new Map<string, number>();
  const declare = (check: Declaration): void => {
    if (lines.size >= flowLimits.checks)
      throw new RangeError(`an attempt has at most ${flowLimits.checks} checks`);
    lines.set(check.id, check.line);
    desk.line.notify({ say: 'check', check });
  };
  const check = (id: string, evidence: unknown, ...rest: readonly unknown[]): void => {
    refuseId(id, lines);
    const { line } = desk.call();
    if (typeof evidence === 'function') {
      const options = (rest[0] ?? {}) as CheckOptions;
      refuseUnknownOptions(options, ['title'], `the check ${id} of a function`);
      declare({ id, line, ...titleOf(options), evidence: { opaque: decide(() => evidence()) } });
      return;
    }
    const [pattern, options = {}] = rest as [unknown, CheckOptions?];
    refuseUnknownOptions(options, checkOptions, `the check ${id}`);
    const seen = evidenceOf(desk, id, evidence);
    refuseOptions(id, seen, options);
    declare({ id, line, ...titleOf(options), evidence: seen, ...expectationOf(id, pattern, options, seen) });
  };
  const expect = (value: unknown, pattern: unknown): void => {
    const { line } = desk.call();
    const base = `expect-${line}`;
    let id = base;
    for (let round = 2; lines.has(id); round += 1) id = `${base}-${round}`;
    if (isNothing(pattern)) throw new TypeError(`${id} expects nothing: ${asksForNothing}`);
    const wanted = goodPattern(pattern, 'what is expected');
    const evidence = evidenceOf(desk, id, value);
    if (!('value' in evidence))
      throw new TypeError(`${id} got an observation, not a value: write \`await\` before it`);
    declare({ id, line, evidence, expect: wanted });
    const held = holdAgainst({ expect: wanted }, evidence.value);
    if (!held.held) throw new StepFailed(`expected ${held.expected}, observed ${held.observed}`);
  };
  return { check, expect };
}

const checkOptions = ['title', 'count', 'within', 'never', 'throughout', 'provenBy', 'only'];

function evidenceOf(desk: FlowDesk, id: string, evidence: unknown): DeclaredEvidence {
  const watched = desk.watchedBy(evidence);
  if (watched) return { watched };
  const origin = desk.originOf(evidence);
  if (origin) return { value: evidence, origin };
  return { value: plainCopy(evidence, `the evidence of ${id}`) };
}

type Expectation = Omit<Declaration, 'id' | 'line' | 'title' | 'evidence'>;

function expectationOf(
  id: string,
  pattern: unknown,
  { count, within, never, throughout, provenBy, only }: CheckOptions,
  seen: DeclaredEvidence,
): Expectation {
  if (isNothing(pattern) && count === undefined) {
    if (pattern === undefined && 'watched' in seen && checkKind(seen.watched.kind)?.isClosed)
      return defined({ expect: [], only });
    throw new TypeError(`${id} expects nothing: ${asksForNothing}`);
  }
  const good = (given: unknown, what: string): unknown =>
    given === undefined ? undefined : goodPattern(given, `the ${what} of ${id}`);
  return defined({
    within: durationText(within),
    expect: good(pattern, 'pattern'),
    count: good(count, 'count'),
    never: never || undefined,
    throughout: throughout || undefined,
    provenBy,
    only,
  });
}

const asksForNothing = 'the pattern is undefined, or a map without a key';

function isNothing(pattern: unknown): boolean {
  if (pattern === undefined) return true;
  const isPlain = isMap(pattern) && Object.getPrototypeOf(pattern) === Object.prototype;
  return isPlain && Object.keys(pattern).length === 0;
}

function goodPattern(pattern: unknown, what: string): unknown {
  const plain = plainPattern(pattern, what);
  const [fault] = checkPattern(plain, 'resolved');
  if (!fault) return plain;
  const meant = fault.nearest === undefined ? '' : `; did you mean ${fault.nearest}?`;
  throw new TypeError(`${what}: ${fault.what} at ${fault.path}; allowed: ${fault.allowed}${meant}`);
}

function refuseId(id: unknown, lines: ReadonlyMap<string, number>): void {
  if (typeof id !== 'string' || !/^[A-Za-z0-9][\w.-]{0,119}$/.test(id))
    throw new TypeError(
      `${JSON.stringify(id)} cannot be the id of a check; allowed: letters, digits, -, _ and .`,
    );
  const before = lines.get(id);
  if (before !== undefined)
    throw new TypeError(
      `the check ${id} is already declared in line ${before}; each needs an id of its own, in a loop too`,
    );
}

/** These options cover a period of time, in which a value does not change. */
function refuseOptions(id: string, seen: DeclaredEvidence, options: CheckOptions): void {
  const key = (['within', 'never', 'throughout', 'only'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (key === undefined || 'watched' in seen) return;
  throw new TypeError(
    `\`${key}\` of ${id} needs an observation, not a value, which does not change; pass it without \`await\``,
  );
}

function decide(closure: () => unknown): { held: boolean; message?: string } {
  try {
    const answer = closure();
    if (answer === true) return { held: true };
    if (answer === false) return { held: false };
    if (typeof answer === 'string') return { held: false, message: answer };
    return {
      held: false,
      message: `it returned ${typeof answer} instead of true, false or a text that says why`,
    };
  } catch (error) {
    return { held: false, message: `it threw ${String(error)}` };
  }
}

function titleOf({ title }: { readonly title?: string }): { readonly title?: string } {
  return title === undefined ? {} : { title: String(title) };
}
