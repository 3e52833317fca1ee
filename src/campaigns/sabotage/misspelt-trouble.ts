/** An expression that lines are searched for: whether it names trouble, or only a misspelling of it. */
import { editDistance } from '../../kernel/nearest.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { Leaf } from './can-be.ts';
import { type RunFacts, saysTrouble } from './run-facts.ts';

/** What programs print when something is wrong. */
const usualWords =
  'error errors fatal failed failure exception panic panicked traceback critical warning crash crashed segfault timeout denied refused rejected unhandled uncaught'.split(
    ' ',
  );

const leastChars = 5;

/** The first word that is one letter, or a swap, away from one of those, where no alternative is right. */
export function misspeltTrouble({ pattern }: Leaf, facts: RunFacts): string | undefined {
  const words = alternativesIn(pattern);
  if (words.some((word) => saysTrouble(word) || usualWords.includes(word.toLowerCase()))) return undefined;
  return words.find(
    (word) =>
      word.length >= leastChars &&
      !facts.isInSources(word) &&
      !facts.isKnownValue(word, true) &&
      usualWords.some((usual) => editDistance(usual, word.toLowerCase()) === 1),
  );
}

/** Words of which one is for trouble: the others do no harm. */
export function hasTrouble(pattern: unknown): boolean {
  const expression = isPlainMap(pattern) ? String(pattern.$regex ?? '') : '';
  return /^[\p{L}\d _-]+(?:\|[\p{L}\d _-]+)+$/u.test(expression) && alternativesIn(pattern).some(saysTrouble);
}

function alternativesIn(pattern: unknown): readonly string[] {
  const expression = isPlainMap(pattern) ? String(pattern.$regex ?? '') : '';
  // The names of classes, such as `\b`, are no letters of words.
  return expression.replaceAll(/\\./g, ' ').match(/\p{L}{3,}/gu) ?? [];
}
