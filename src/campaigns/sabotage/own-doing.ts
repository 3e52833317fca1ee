/** Which parts of an observation are the trial's own doing: what it sent or played itself, and what merely repeats that. */

import type { AttemptView } from '../../checks/attempt-view.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { valueAt } from '../../patterns/lies/lie.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { Examinee } from './examinee.ts';

export interface OwnDoing {
  /** The trial wrote it itself; no system can lie about it. */
  isOwn(keys: readonly PathKey[]): boolean;
  /** The system said it, and the trial had said the same; or it is looked for by `words` that the trial has said. */
  isEcho(keys: readonly PathKey[], value: unknown, words?: readonly string[]): boolean;
}

type Looked = Pick<Examinee, 'kind' | 'step' | 'value' | 'where'>;

export function ownDoing(view: AttemptView, looked: Looked): OwnDoing {
  const { kind, step, where } = looked;
  if (step !== undefined) return ofAnswer(view, step);
  if (kind === 'value') {
    const isSent = isPartOf(looked.value, allSent(view));
    return { isOwn: () => isSent, isEcho: (_, value) => value === uidOf(view) };
  }
  return {
    isOwn: (keys) => kind === 'calls' && isOwnSide(view, looked.value, keys),
    // Whatever was looked for under a condition fulfils it.
    isEcho: (keys, value) =>
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

/** Parts of an answer that our own side makes. */
const ownParts = new Set<PathKey>(
  'request bytesSent transport connected did service reached waitedMs'.split(' '),
);

function ofAnswer(view: AttemptView, step: string): OwnDoing {
  const sent = sentBy(view, step);
  const words = wordsOf(sent);
  const answer = view.steps.get(step)?.evidence;
  return {
    isOwn: (keys) => {
      const [first, second, third] = keys;
      return ownParts.has((first === 'answers' && typeof second === 'number' ? third : first) ?? '');
    },
    // A header comes back only by a promise, such as that of an id for tracing.
    isEcho: (keys, value, sought = []) =>
      !keys.includes('headers') &&
      !isRefusal(keys, answer) &&
      !isChosen(keys, sent) &&
      (isSaid(sent, nameOf(keys), value) ||
        isWord(words, nameOf(keys), value) ||
        (sought.length > 0 && sought.every((word) => isHeard(sent, word)))),
  };
}

const troubles = new Set<PathKey>(['error', 'errors', 'message', 'reason', 'detail', 'stderr']);

/** Who refuses, and says whom or what, repeats nothing. */
function isRefusal(keys: readonly PathKey[], answer: unknown): boolean {
  if (keys.some((key) => troubles.has(key))) return true;
  const { isError, exitCode } = (answer ?? {}) as { readonly isError?: unknown; readonly exitCode?: unknown };
  return isError === true || (typeof exitCode === 'number' && exitCode !== 0);
}

const askedParts = new Set<PathKey>('request params method path from to protocol'.split(' '));
const answeredParts = new Set<PathKey>('response status result turn error'.split(' '));

/** What the trial asked itself, and what a party that we play has asked or answered. */
function isOwnSide({ topology }: AttemptView, calls: unknown, [index, part]: readonly PathKey[]): boolean {
  const isAllOwn = Array.isArray(calls) && calls.length > 0 && calls.every(({ from }) => from === 'outside');
  if (index === undefined) return isAllOwn;
  const call = valueAt(calls, [index]) as { readonly from?: unknown; readonly to?: unknown } | undefined;
  if (part === undefined || call === undefined) return false;
  const isPlayed = (party: unknown) =>
    topology?.parties.some(({ name, kind }) => name === party && kind !== 'service') ?? false;
  if (askedParts.has(part)) return call.from === 'outside' || isPlayed(call.from);
  return answeredParts.has(part) && isPlayed(call.to);
}

function sentBy({ events }: AttemptView, step: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'step.started' && event.step === step ? [withoutNames(event.sent)] : [],
  );
}

/** Keys of a step whose texts name something, and are not sent. */
const unsaid = new Set('on tcp mcp codec transport era session cwd timeout within'.split(' '));

function withoutNames(step: unknown): unknown {
  if (!isPlainMap(step)) return step;
  return Object.fromEntries(Object.entries(step).filter(([key]) => !unsaid.has(key)));
}

/** Lists that the protocol makes of an answer. */
const wireLists = new Set<PathKey>(['received', 'answers', 'content', 'events']);

/** An element of a list that the system has put together, for one who sent no list, is found and not repeated. */
function isChosen(keys: readonly PathKey[], sent: readonly unknown[]): boolean {
  const isInList = keys.some(
    (key, index) => typeof key === 'number' && !wireLists.has(keys[index - 1] ?? ''),
  );
  return isInList && !JSON.stringify(sent).includes('[', 1);
}

function nameOf(keys: readonly PathKey[]): string {
  return String(keys.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
}

/** Values that nobody would take for a copy, even under the same name. */
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

/** A line end more or less makes no other text, and a number in quotes no other number. */
function isSame(said: unknown, value: unknown): boolean {
  if (said === value) return true;
  const isPlain = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  return isPlain(said) && isPlain(value) && String(said).trim() === String(value).trim();
}

/** Words that a text of the trial holds; a short one only where it is the whole of it. */
function isHeard(sent: unknown, word: string): boolean {
  if (Array.isArray(sent)) return sent.some((element) => isHeard(element, word));
  if (isPlainMap(sent)) return Object.values(sent).some((below) => isHeard(below, word));
  if (typeof sent !== 'string') return false;
  return sent.trim() === word.trim() || (word.trim().length >= leastChars && sent.includes(word));
}

/** The parts of paths, and the words of a command. */
function wordsOf(sent: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    sent.flatMap((one) => {
      const { http, command } = (one ?? {}) as { readonly http?: unknown; readonly command?: unknown };
      const address = typeof http === 'string' ? http.split(/[/?&= ]/).slice(2) : [];
      const words = Array.isArray(command) ? command.slice(1) : String(command ?? '').split(/\s+/);
      return [...address, ...words.map(String)].map(decoded);
    }),
  );
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // a lone percent sign stands for itself
  }
}

/** A number is taken for one of them only where it names something. */
function isWord(words: ReadonlySet<string>, name: string, value: unknown): boolean {
  if (typeof value === 'string') return value.trim().length > 2 && words.has(value.trim());
  return typeof value === 'number' && /id$/.test(name) && words.has(String(value));
}
