/** Parts of what was seen that were not kept as a whole: whatever looks at them is neither right nor wrong. */
import { type CallEvent, type CallMessage, unfinishedRules } from '../journal/call-event.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { isNotKept, notKept } from '../kernel/not-kept.ts';
import { isPlainMap } from '../patterns/plain-value.ts';
import { spokenOf } from '../patterns/spoken-of.ts';
import { extendPath } from '../patterns/value-path.ts';
import { type Expectation, type Held, holdAgainst } from './hold-against.ts';

/** Holds an expectation against what an observer saw. */
export function holdSeen(expectation: Expectation, value: unknown): Held {
  const held = holdAgainst(expectation, value);
  return held.undecided === undefined ? withoutDoubt(held, value) : held;
}

/** A column that no row has is misspelt, and proves nothing by not being there; one that is to be absent need not exist. */
export function holdRows(expectation: Expectation, rows: unknown): Held {
  const held = holdSeen(expectation, rows);
  if (!Array.isArray(rows) || rows.length === 0) return held;
  const stray = spokenOf(expectation.expect, 'list').find(
    ({ key, pattern }) =>
      !(isPlainMap(pattern) && pattern.$absent === true) &&
      rows.every((row) => isPlainMap(row) && !Object.hasOwn(row, key)),
  );
  if (!stray) return held;
  const because = `no row has a column ${stray.key}; its columns are ${Object.keys(rows[0] as object).join(', ')}`;
  return held.held ? leftUndecided(held, because) : { ...held, unsure: held.unsure ?? because };
}

/**
 * A message that broke off is none, though what came of it may look like one: what holds by it alone is not decided, unless the check
 * itself speaks of how the call ended. What the reader of an answer has got before it left is there; the rest is not denied.
 */
export function holdCalls(expectation: Expectation, calls: unknown, where: unknown): Held {
  const held = holdSeen(expectation, calls);
  if (!held.held || !Array.isArray(calls) || isAboutEnd(where)) return held;
  const isSpoken = (index: number): boolean =>
    ends.some((key) => held.reads.some((read) => isWithin(read, `$[${index}].${key}`)));
  const cut = calls.flatMap((call, index) => (isCut(call) && !isSpoken(index) ? [{ call, index }] : []));
  const [broken] = [...cut.filter(({ call }) => isBrokenOff(call)), ...cut];
  if (broken === undefined) return held;
  const rest = (unseen: object): readonly unknown[] =>
    calls.flatMap((call, index) => {
      if (!isCut(call) || isSpoken(index)) return [call];
      const head = withoutBody(call, unseen);
      return where === undefined || holdAgainst({ expect: where }, head).held ? [head] : [];
    });
  const without = [{}, { result: notKept, error: notKept }].map((unseen) =>
    holdAgainst(expectation, rest(unseen)),
  );
  if (without.every((one) => one.held)) return held;
  if (!isBrokenOff(broken.call) && without.every(({ undecided }) => undecided === undefined)) return held;
  const because = `${howCut(broken.call)} at $[${broken.index}], so that what came of it proves nothing; \`incomplete: cut\` says that it is meant`;
  return leftUndecided(held, because);
}

const ends = ['incomplete', 'faults'];

function isAboutEnd(where: unknown): boolean {
  return spokenOf(where, 'map').some(({ key }) => ends.includes(key));
}

function isCut(call: unknown): call is CallEvent {
  return isPlainMap(call) && call.incomplete === 'cut';
}

function isBrokenOff({ request, faults = [] }: CallEvent): boolean {
  const rules: readonly string[] = Object.values(unfinishedRules);
  return request.unfinished === true || faults.some(({ rule }) => rules.includes(rule));
}

function howCut(call: CallEvent): string {
  if (call.request.unfinished) return 'the request broke off';
  return isBrokenOff(call) ? 'the provider broke off its answer' : 'nobody waited for all of the answer';
}

/** Events that came are whole, each of them. `unseen`: what a whole answer to a JSON-RPC call may bring. */
function withoutBody({ response, ...call }: CallEvent, unseen: object): unknown {
  if (call.request.unfinished) {
    const { params: _params, ...rest } = call;
    return { ...rest, request: headOf(call.request), response };
  }
  if (!response || response.events) return { ...call, response };
  const head = headOf(response);
  const { result: _result, error: _error, turn: _turn, ...rest } = call;
  return { ...rest, ...(call.protocol === 'json-rpc' ? unseen : {}), response: head };
}

function headOf({ json: _json, text: _text, ...head }: CallMessage): unknown {
  return head;
}

/** The same, unless a path was looked at that leads into a part that was not kept. */
export function withoutDoubt(held: Held, value: unknown): Held {
  const part = doubtfulParts(value).find(({ path }) => held.reads.some((read) => isWithin(read, path)));
  return part ? leftUndecided(held, `${part.because} at ${part.path}`) : held;
}

export function leftUndecided(held: Held, because: string): Held {
  const explanation = [because, held.explanation].filter(Boolean).join('\n');
  return { ...held, held: false, undecided: because, explanation };
}

/** Whether a path is another, or leads further down from it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
}

interface DoubtfulPart {
  readonly path: string;
  readonly because: string;
}

const mostVisited = 200_000;

function doubtfulParts(value: unknown): readonly DoubtfulPart[] {
  const found: DoubtfulPart[] = [];
  let visited = 0;
  const visit = (inner: unknown, path: string): void => {
    visited += 1;
    if (!isContainer(inner) || visited > mostVisited) return;
    if (isNotKept(inner)) found.push({ path, because: 'there was no room for what was seen' });
    else
      found.push(
        ...cutKeys(inner).map((key) => ({ path: `${path}.${key}`, because: 'more is there than is kept' })),
      );
    for (const [key, below] of Object.entries(inner))
      visit(below, extendPath(path, Array.isArray(inner) ? Number(key) : key));
  };
  visit(value, '$');
  return found;
}

/** Of a call, or of a span, of which only the beginning was kept: what may be missing in part. */
function cutKeys(value: object): readonly string[] {
  if (Reflect.get(value, 'incomplete') === 'too-large' && Object.hasOwn(value, 'crossing'))
    return ['request', 'response', 'params', 'result'];
  if (Reflect.get(value, 'cut') === true && Object.hasOwn(value, 'spanId')) return ['attributes', 'events'];
  return [];
}
