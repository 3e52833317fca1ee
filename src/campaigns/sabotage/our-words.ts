/** Words that our own side writes into evidence: whatever a system does, one of these stands there. */
import { type Lie, valueAt } from '../../patterns/lies/lie.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { Examinee } from './examinee.ts';

/** By what is looked at, and the place in an answer or in an element. */
const choices: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  exchange: { endedBy: ['peer', 'timeout', 'cap'], closedBy: ['peer', 'us', 'reset'] },
  calls: { incomplete: ['cut', 'too-large', 'not-http', 'unanswered', 'cancelled', 'in-flight'] },
  spans: {
    kind: ['internal', 'server', 'client', 'producer', 'consumer'],
    'status.code': ['unset', 'ok', 'error'],
  },
};

/** The same lie in the words that there are: none where it is about another kind of thing, several where it is about any text. */
export function inOurWords({ kind, value }: Pick<Examinee, 'kind' | 'value'>, lie: Lie): readonly Lie[] {
  const place = inElement(lie.keys).join('.');
  const words = Object.hasOwn(choices[kind] ?? {}, place) ? choices[kind]?.[place] : undefined;
  if (!words || lie.kind === 'missing') return [lie];
  if (lie.literals?.length) return words.includes(String(lie.value)) ? [lie] : [];
  if (lie.kind === 'type') return [];
  const truth = valueAt(value, lie.keys);
  return words.filter((word) => word !== truth).map((word) => ({ ...lie, value: word, what: word }));
}

function inElement(keys: readonly PathKey[]): readonly PathKey[] {
  if (keys[0] === 'answers' && typeof keys[1] === 'number') return keys.slice(2);
  return typeof keys[0] === 'number' ? keys.slice(1) : keys;
}
