/** Enum values that our own side writes into evidence: whatever a system does, the value is one of these. */
import { fieldNamed } from '../../kinds/check-kinds.ts';
import type { Field } from '../../kinds/kind/evidence.ts';
import { type Mutant, valueAt } from '../../patterns/mutants/mutant.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';

/** The same mutant with allowed values: none if it changes the type, several if it stands for any text. */
export function inOurWords(
  { kind, value }: Pick<CheckUnderTest, 'kind' | 'value'>,
  mutant: Mutant,
): readonly Mutant[] {
  const [name = '', ...inner] = inElement(mutant.keys).map(String);
  const words = inner.reduce<Field | undefined>(
    (field, key) => field?.fields?.[key],
    fieldNamed(kind, name),
  )?.enum;
  if (!words || mutant.kind === 'missing') return [mutant];
  if (mutant.literals?.length) return words.includes(String(mutant.value)) ? [mutant] : [];
  if (mutant.kind === 'type') return [];
  const truth = valueAt(value, mutant.keys);
  return words.filter((word) => word !== truth).map((word) => ({ ...mutant, value: word, what: word }));
}

function inElement(keys: readonly PathKey[]): readonly PathKey[] {
  if (keys[0] === 'answers' && typeof keys[1] === 'number') return keys.slice(2);
  return typeof keys[0] === 'number' ? keys.slice(1) : keys;
}
