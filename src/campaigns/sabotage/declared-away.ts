/** What a source itself refuses, so that no system can show it there: a constraint of the database forbids it. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { couldShow, type DeclaredField, type DeclaredFields, inWords } from '../../journal/declared-field.ts';
import { applyMutant, type Mutant, valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { CheckUnderTest } from './check-under-test.ts';

/** By source; without the fields of which two attempts were told different things. */
export function collectDeclared(views: Iterable<AttemptView>): ReadonlyMap<string, DeclaredFields> {
  const all = [...views].flatMap(({ declared }) => [...declared]);
  const bySource = Map.groupBy(all, ([source]) => source);
  return new Map(
    [...bySource].map(([source, some]) => {
      const [first = {}, ...others] = some.map(([, fields]) => fields);
      const same = Object.entries(first).filter(([name, field]) =>
        others.every((other) => JSON.stringify(other[name]) === JSON.stringify(field)),
      );
      return [source, Object.fromEntries(same)] as const;
    }),
  );
}

/** The declared field that the mutant breaks; undefined where the source could show it. */
export function refusedField(
  { value }: Pick<CheckUnderTest, 'value'>,
  mutant: Pick<Mutant, 'keys' | 'value'>,
  fields: DeclaredFields,
): string | undefined {
  const [index, name, ...inner] = mutant.keys;
  const isRefused = (column: string, shown: unknown): boolean => {
    const field = fields[column];
    return field !== undefined && !couldShow(field, shown);
  };
  if (typeof name === 'string') return inner.length === 0 && isRefused(name, mutant.value) ? name : undefined;
  const seen = Array.isArray(value) ? value : [];
  const mutated = applyMutant(value, mutant);
  const elements = index === undefined ? mutated : [valueAt(mutated, [index])];
  return (Array.isArray(elements) ? elements : [])
    .filter((element) => isPlainMap(element) && !seen.includes(element))
    .flatMap((element) => Object.entries(element as object))
    .find(([column, shown]) => isRefused(column, shown))?.[0];
}

/** Whether a condition for this value could be meant: the database reads `'5'` as a number where it needs one. */
export function couldMean(field: DeclaredField, value: unknown): boolean {
  const { type, values, form: _, ...bounds } = field;
  if (value === null) return field.always !== true;
  if (values && !values.map(String).includes(String(value))) return false;
  const isNumeric = type === 'integer' || type === 'number';
  const read = isNumeric && typeof value === 'string' ? Number(value) : value;
  return typeof read === 'number' && isNumeric
    ? Number.isNaN(read) || couldShow({ ...bounds, type }, read)
    : typeof read !== 'string' || type !== 'string' || couldShow(bounds, read);
}

/** As the second half of a sentence. */
export function declaredWords(source: string, name: string, fields: DeclaredFields): string {
  const table = source.slice(source.indexOf(' ') + 1);
  return `column \`${name}\` of \`${table}\` is declared as ${inWords(fields[name] ?? {})}`;
}
