/** Which parts of an observation are test-controlled: sent or played by the trial itself, or merely repeating that. */

import type { AttemptView } from '../../checks/attempt-view.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { percentDecoded } from '../../kernel/percent-decoded.ts';
import { checkKind, fieldNamed } from '../../kinds/check-kinds.ts';
import { stepField, stepKeyIn, stepKind } from '../../kinds/step-kinds.ts';
import { valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';

export interface TestControlled {
  /** The trial wrote it itself; no system can falsify it. */
  isOwn(keys: readonly PathKey[]): boolean;
  /** The system said it, and the trial had sent the same; or it is looked up by `words` that the trial has sent. */
  isTautological(keys: readonly PathKey[], value: unknown, words?: readonly string[]): boolean;
}

type Looked = Pick<CheckUnderTest, 'kind' | 'step' | 'value' | 'where'>;

export function testControlled(view: AttemptView, looked: Looked): TestControlled {
  const { kind, step, where } = looked;
  if (step !== undefined) return ofAnswer(view, step);
  if (kind === 'value') {
    const isSent = isPartOf(looked.value, allSent(view));
    return { isOwn: () => isSent, isTautological: (_, value) => value === uidOf(view) };
  }
  return {
    isOwn: (keys) => checkKind(kind)?.edge !== undefined && isOwnSide(view, looked, keys),
    // Everything found under a condition fulfils it.
    isTautological: (keys, value) =>
      isPlainMap(where) && valueAt(where, keys.slice(1)) === value && value !== undefined,
  };
}

function allSent({ events }: AttemptView): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'step.started' ? [event.sent] : []));
}

/** Whether a map or a list is, as a whole, one that the trial has sent. */
function isPartOf(value: unknown, sent: unknown): boolean {
  if (!isContainer(value) || !isContainer(sent)) return false;
  return (
    JSON.stringify(sent) === JSON.stringify(value) ||
    Object.values(sent).some((inner) => isPartOf(value, inner))
  );
}

function uidOf({ scope }: AttemptView): unknown {
  return valueAt(scope, ['trial', 'uid']);
}

function ofAnswer(view: AttemptView, step: string): TestControlled {
  const sent = sentBy(view, step);
  const words = wordsOf(sent);
  const answer = view.steps.get(step)?.evidence;
  return {
    isOwn: (keys) => {
      const [first, second, third] = keys;
      const name = String(first === 'answers' && typeof second === 'number' ? third : first);
      return stepField(name)?.origin === 'request';
    },
    // A header is returned only by contract, such as a tracing id.
    isTautological: (keys, value, sought = []) =>
      !keys.includes('headers') &&
      !isRefusal(keys, answer) &&
      !isChosen(keys, sent) &&
      (isSaid(sent, nameOf(keys), value) ||
        isWord(words, nameOf(keys), value) ||
        (sought.length > 0 && sought.every((word) => isHeard(sent, word)))),
  };
}

const troubles = new Set<PathKey>(['error', 'errors', 'message', 'reason', 'detail', 'stderr']);

/** A refusal that names what it refuses is not a repetition. */
function isRefusal(keys: readonly PathKey[], answer: unknown): boolean {
  if (keys.some((key) => troubles.has(key))) return true;
  const { isError, exitCode } = (answer ?? {}) as { readonly isError?: unknown; readonly exitCode?: unknown };
  return isError === true || (typeof exitCode === 'number' && exitCode !== 0);
}

/** What the trial requested itself, and what a party that we play has requested or answered. */
function isOwnSide(
  { topology }: AttemptView,
  { kind, value: calls }: Looked,
  [index, part]: readonly PathKey[],
): boolean {
  const isAllOwn = Array.isArray(calls) && calls.length > 0 && calls.every(({ from }) => from === 'outside');
  if (index === undefined) return isAllOwn;
  const call = valueAt(calls, [index]) as { readonly from?: unknown; readonly to?: unknown } | undefined;
  if (part === undefined || call === undefined) return false;
  const isPlayed = (party: unknown) =>
    topology?.parties.some(({ name, kind }) => name === party && kind !== 'service') ?? false;
  const { by } = fieldNamed(kind, String(part)) ?? {};
  if (by === 'caller') return call.from === 'outside' || isPlayed(call.from);
  return by === 'provider' && isPlayed(call.to);
}

function sentBy({ events }: AttemptView, step: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'step.started' && event.step === step ? [withoutNames(event.sent)] : [],
  );
}

/** Without keys whose texts are names and are not sent. */
function withoutNames(step: unknown): unknown {
  if (!isPlainMap(step)) return step;
  const unsent = ['timeout', 'within', ...(stepKind(stepKeyIn(step) ?? '').unsent ?? [])];
  return Object.fromEntries(Object.entries(step).filter(([key]) => !unsent.includes(key)));
}

/** For a request without a list, an element of a list that the system built was found, not repeated. */
function isChosen(keys: readonly PathKey[], sent: readonly unknown[]): boolean {
  const isInList = keys.some(
    (key, index) => typeof key === 'number' && !stepField(String(keys[index - 1]))?.isWireList,
  );
  return isInList && !JSON.stringify(sent).includes('[', 1);
}

function nameOf(keys: readonly PathKey[]): string {
  return String(keys.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
}

/** Values too common to count as a copy, even under the same name. */
const common = new Set<unknown>([true, false, null, '', 0, 1]);
const leastChars = 4;

function isSaid(sent: unknown, name: string, value: unknown): boolean {
  if (common.has(value) || typeof value === 'object') return false;
  const isLong = typeof value === 'string' && value.length >= leastChars;
  const visit = (inner: unknown, under: string): boolean => {
    if (Array.isArray(inner)) return inner.some((element) => visit(element, under));
    if (isPlainMap(inner))
      return Object.entries(inner).some(([key, below]) => visit(below, key.toLowerCase()));
    return isSame(inner, value) && (under === name || isLong);
  };
  return visit(sent, '');
}

/** A trailing newline makes no different text, and quotes no different number. */
function isSame(said: unknown, value: unknown): boolean {
  if (said === value) return true;
  const isPlain = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  return isPlain(said) && isPlain(value) && String(said).trim() === String(value).trim();
}

/** Words contained in a text of the trial; a short one only if it is the whole text. */
function isHeard(sent: unknown, word: string): boolean {
  if (Array.isArray(sent)) return sent.some((element) => isHeard(element, word));
  if (isPlainMap(sent)) return Object.values(sent).some((below) => isHeard(below, word));
  if (typeof sent !== 'string') return false;
  return sent.trim() === word.trim() || (word.trim().length >= leastChars && sent.includes(word));
}

/** The parts of paths, and the words of a command. */
function wordsOf(sent: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    sent.flatMap((step) => {
      if (!isPlainMap(step)) return [];
      return (stepKind(stepKeyIn(step) ?? '').words?.(step) ?? []).map(percentDecoded);
    }),
  );
}

/** A number matches one of them only where it names something. */
function isWord(words: ReadonlySet<string>, name: string, value: unknown): boolean {
  if (typeof value === 'string') return value.trim().length > 2 && words.has(value.trim());
  return typeof value === 'number' && /id$/.test(name) && words.has(String(value));
}
