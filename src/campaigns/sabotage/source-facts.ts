/** What each source has shown in a whole run, and under which names the values there were sent or answered. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { derivedKinds } from '../../checks/derived-queries.ts';
import type { DeclaredFields } from '../../journal/declared-field.ts';
import { defined } from '../../kernel/defined.ts';
import { valueAt } from '../../patterns/mutants/mutant.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { collectDeclared } from './declared-away.ts';
import { walkPlaces } from './walk-places.ts';

export interface SourceFacts {
  /** Elements that the source has shown in some attempt, under whatever condition. */
  elements(source: string): readonly unknown[];
  /** Names under which the values of this place were sent or answered in their own attempts. */
  namesAt(source: string, keys: readonly PathKey[]): ReadonlySet<string>;
  /** What the source declares of its fields; empty where nothing is known. */
  declaredAt(source: string): DeclaredFields;
}

/** The names under which a trial sent a value, or was answered it; undefined where it was neither. */
export type NamedValues = (value: unknown) => ReadonlySet<string> | undefined;

/** Of every text with the id of its attempt in it. */
const ofThisAttempt = '‹uid›';
/** The same where that id was never given to the system: nothing can have it. */
export const neverSent = '‹uid, not sent›';

const mostElements = 400;
const mostPlaces = 2_000;

export function collectSourceFacts(views: readonly AttemptView[]): SourceFacts {
  const declared = collectDeclared(views);
  const elements = new Map<string, unknown[]>();
  const names = new Map<string, Set<string>>();
  for (const view of views) {
    const named = namedValues(view);
    for (const [source, element] of shownIn(view)) {
      const known = elements.get(source) ?? [];
      if (known.length >= mostElements) continue;
      elements.set(source, [...known, element]);
      for (const { keys, value } of walkPlaces(element)) {
        const place = placeName(source, keys);
        const under = names.get(place) ?? new Set();
        for (const name of named(value) ?? []) under.add(name);
        names.set(place, under);
      }
    }
  }
  return {
    elements: (source) => elements.get(source) ?? [],
    namesAt: (source, keys) => names.get(placeName(source, keys)) ?? new Set(),
    declaredAt: (source) => declared.get(source) ?? {},
  };
}

/** Values that are everywhere name nothing. */
export function namedValues({ events, steps, scope, calls }: AttemptView): NamedValues {
  const sent = events.flatMap((event) => (event.type === 'step.started' ? [event.sent] : []));
  const named = new Map<string, Set<string>>();
  for (const said of [...sent, ...[...steps.values()].map(({ evidence }) => evidence)])
    for (const { keys, value } of walkPlaces(said, mostPlaces)) {
      if (!isTelling(value)) continue;
      const name = String(keys.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
      const known = named.get(String(value)) ?? new Set();
      named.set(String(value), known.add(name));
    }
  const uid = valueAt(scope, ['trial', 'uid']);
  const said = [sent, [...steps.values()].map(({ evidence }) => evidence), calls.map(({ call }) => call)];
  const isSent = typeof uid === 'string' && JSON.stringify(said).includes(uid);
  return (value) => {
    const names = named.get(String(value));
    const isOwn = typeof uid === 'string' && typeof value === 'string' && value.includes(uid);
    return isOwn ? new Set([...(names ?? []), isSent ? ofThisAttempt : neverSent]) : names;
  };
}

/** Whether what was sent or answered under these names is never found where values have those others. */
export function areApart(names: ReadonlySet<string>, there: ReadonlySet<string>): boolean {
  if ([...names].some((name) => there.has(name))) return false;
  return there.size > 0 || names.has(ofThisAttempt) || names.has(neverSent);
}

function isTelling(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > 1;
  return typeof value === 'string' && value.length > 2;
}

function* shownIn(view: AttemptView): Generator<readonly [source: string, element: unknown]> {
  for (const check of view.performed) {
    if (derivedKinds.includes(check.kind)) continue;
    for (const sample of view.probes.get(check.id)?.samples ?? [])
      if (sample.type === 'probe.sampled' && Array.isArray(sample.value))
        for (const element of sample.value) yield [check.source, element];
  }
  for (const { edge, call } of view.calls)
    yield [`calls ${edge}`, { ...call, ...defined({ status: call.response?.status }) }];
}

function placeName(source: string, keys: readonly PathKey[]): string {
  return `${source} ${keys.filter((key) => typeof key === 'string').join('.')}`;
}
