/** Patterns that do not fit the kind of their check: keys that it never has, and a `never` that nothing could match. */
import { didYouMean } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Field } from '../../kinds/kind/evidence.ts';
import { canMatch, type Form, type SpokenKey, spokenOf } from '../../patterns/spoken-of.ts';
import { type Placed, problemAt, problemsAt, type RawMap } from './placed.ts';

export function formProblems(kind: string, placed: Placed<RawMap>): Problem[] {
  const { gives: form = 'list', fields, keys } = checkKind(kind) ?? {};
  const { never } = placed.value;
  if (never !== undefined && !canMatch(never, form)) return [neverMatches(placed, kind, form)];
  const own = fields?.();
  const known = keys ? keys(placed.value) : own && Object.keys(own);
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
      ...unknownInner(placed, part, spoken, own?.[spoken.key]),
    ]),
  );
}

/** What a line of a script asks of a request. */
export function requestProblems(placed: Placed<RawMap>, part: string, known: readonly string[]): Problem[] {
  return spokenOf(placed.value[part], 'map').flatMap((spoken) =>
    unknownKey(placed, part, spoken, known, 'a request'),
  );
}

function unknownInner(
  placed: Placed<RawMap>,
  part: string,
  { pattern, at }: SpokenKey,
  field: Field | undefined,
): Problem[] {
  const { closedAs, fields = {} } = field ?? {};
  if (closedAs === undefined) return [];
  return spokenOf(pattern, 'map', at).flatMap((inner) =>
    unknownKey(placed, part, inner, Object.keys(fields), closedAs),
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
  const isContent =
    of.includes('`files`') && ['text', 'json', 'yaml', 'markdown', 'xml', 'image'].includes(key);
  return problemsAt(placed, 'key', [part, ...at], {
    code: 'config.unknown-key',
    what: `\`${key}\` is not a key of ${of}`,
    allowed: known.join(', '),
    next: isContent ? `say \`as: ${key}\` beside \`files\`` : didYouMean(key, known, 'correct the key'),
  });
}

function neverMatches(placed: Placed<RawMap>, kind: string, form: Form): Problem {
  return problemAt(placed, 'value', ['never'], {
    code: 'trial.empty-check',
    what: `\`${kind}\` shows a ${form}, which this pattern can never match`,
    allowed: form === 'list' ? 'a pattern for a list, such as { $some: pattern }' : 'a pattern for a map',
    next:
      form === 'list'
        ? 'for "no element like this", write `never: { $some: … }` around it'
        : 'name the keys that must not be so',
  });
}
