/** What a whole run has shown: which fields there are, what stood at a place in other attempts, what each source can show. */
import { kindOf } from '../../patterns/plain-value.ts';
import type { Examinee } from './examinee.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export interface RunKnowledge {
  /** A field of this name was seen somewhere in the run, or is one that systems have when something is wrong. */
  isKnownField(name: string): boolean;
  /** Other values that were seen at this place of the source. */
  elsewhere(source: string, path: string): readonly unknown[];
  /** Lists with something in them, as the source has shown them. */
  shownBy(source: string): readonly (readonly unknown[])[];
}

/** Names under which a system tells what must not be, though no healthy run shows them. */
const troubleFields = new Set(
  'error errors err exception message reason code detail details stack stacktrace trace traceback warning warnings fault failure failed isError password secret token key apiKey api_key debug internal'.split(
    ' ',
  ),
);

const mostKept = 3;

export function learnFrom(examinees: Iterable<Pick<Examinee, 'source' | 'value'>>): RunKnowledge {
  const fields = new Set<string>();
  const values = new Map<string, Map<string, unknown>>();
  const lists = new Map<string, (readonly unknown[])[]>();
  for (const { source, value } of examinees) {
    for (const { keys, path, value: inner } of walkPlaces(value)) {
      for (const key of keys) if (typeof key === 'string') fields.add(key);
      if (kindOf(inner) !== 'array') keep(values, `${source} ${likePath(path)}`, inner);
    }
    if (Array.isArray(value) && value.length > 0) {
      const known = lists.get(source) ?? [];
      if (known.length < mostKept) lists.set(source, [...known, value]);
    }
  }
  return {
    isKnownField: (name) => fields.has(name) || troubleFields.has(name),
    elsewhere: (source, path) => [...(values.get(`${source} ${likePath(path)}`)?.values() ?? [])],
    shownBy: (source) => lists.get(source) ?? [],
  };
}

function keep(values: Map<string, Map<string, unknown>>, place: string, value: unknown): void {
  const known = values.get(place) ?? new Map<string, unknown>();
  if (known.size < mostKept) known.set(JSON.stringify(value) ?? 'nothing', value);
  values.set(place, known);
}
