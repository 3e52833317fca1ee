/** Patterns that do not fit what the kind of their check shows: keys that it never has, and a `never` that nothing could match. */
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { messageKeys, seenKeys } from '../../observers/seen-keys.ts';
import { canMatch, type Form, type SpokenKey, spokenOf } from '../../patterns/spoken-of.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';

export function formProblems(kind: string, placed: Placed<RawMap>): Problem[] {
  const form = kind === 'exchange' || kind === 'process' ? 'map' : 'list';
  const { never } = placed.value;
  if (never !== undefined && !canMatch(never, form)) return [neverMatches(placed, kind, form)];
  const known = seenKeys(kind, placed.value);
  if (!known) return [];
  return ['expect', 'never', 'where'].flatMap((part) =>
    spokenOf(placed.value[part], part === 'where' ? 'map' : form).flatMap((spoken) => [
      ...unknownKey(
        placed,
        part,
        spoken,
        known,
        kind === 'exchange' ? 'what a step gets' : `what \`${kind}\` shows`,
      ),
      ...(kind === 'calls' && ['request', 'response'].includes(spoken.key)
        ? spokenOf(spoken.pattern, 'map', spoken.at).flatMap((inner) =>
            unknownKey(placed, part, inner, messageKeys, `the ${spoken.key} of a call`),
          )
        : []),
    ]),
  );
}

function unknownKey(
  placed: Placed<RawMap>,
  part: string,
  { key, at }: SpokenKey,
  known: readonly string[],
  of: string,
): Problem[] {
  if (known.includes(key)) return [];
  const guess = nearest(key, known);
  const isContent =
    of.includes('`files`') && ['text', 'json', 'yaml', 'markdown', 'xml', 'image'].includes(key);
  return [
    problemAt(placed, 'key', [part, ...at], {
      code: 'config.unknown-key',
      what: `\`${key}\` is not a key of ${of}`,
      allowed: known.join(', '),
      next: isContent
        ? `say \`as: ${key}\` beside \`files\``
        : guess
          ? `did you mean \`${guess}\`?`
          : 'correct the key',
    }),
  ];
}

function neverMatches(placed: Placed<RawMap>, kind: string, form: Form): Problem {
  return problemAt(placed, 'value', ['never'], {
    code: 'trial.empty-check',
    what: `\`${kind}\` shows a ${form}, which this pattern could not match whatever happens`,
    allowed: form === 'list' ? 'a pattern for a list, such as { $some: pattern }' : 'a pattern for a map',
    next:
      form === 'list'
        ? 'for "no element like this", write `never: { $some: … }` around it'
        : 'name the keys that must not be so',
  });
}
