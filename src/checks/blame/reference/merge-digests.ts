/** `mergeDigests`: the reference of a trial from its passing runs; what varies between them is no longer compared. */
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { type AlignedCalls, alignCalls } from './align-calls.ts';
import { compareValues, markChanged } from './compare-values.ts';
import { tooMuch } from './kept-value.ts';
import { findMixedIds } from './mixed-ids.ts';
import {
  edgeIn,
  isDigest,
  type ReferenceBefore,
  type ReferenceCall,
  type ReferenceDigest,
  type ReferenceOutput,
  referenceLimits,
  varies,
} from './reference-digest.ts';

/** Another trial or system starts anew; so does a digest of many runs, because systems change. */
export function mergeDigests(older: ReferenceDigest | undefined, newer: ReferenceDigest): ReferenceDigest {
  if (!isDigest(older) || older.of !== newer.of || older.cut || newer.cut) return newer;
  if (older.runs >= referenceLimits.runs || older.stores !== newer.stores) return newer;
  const aligned = alignCalls(older.calls, newer.calls);
  const mixed = findMixedIds(aligned, older.calls, newer.calls).map(({ place }) => place);
  const calls = mergeLists(older.calls, newer.calls, aligned, new Set(mixed));
  const { before: _before, ...rest } = newer;
  const merged: ReferenceDigest = {
    ...rest,
    ...defined({ before: mergeBefore(older.before, newer.before) }),
    runs: older.runs + 1,
    durationMs: Math.max(older.durationMs, newer.durationMs),
    calls,
    outputs: mergeOutputs(older.outputs, newer.outputs),
    prepared: { ...older.prepared, ...newer.prepared },
    usual: [...new Set([...older.usual, ...newer.usual])].sort(),
  };
  return calls.length > referenceLimits.calls ? newer : merged;
}

/** In the order in which they began. */
function mergeLists(
  older: readonly ReferenceCall[],
  newer: readonly ReferenceCall[],
  aligned: AlignedCalls,
  mixed: ReadonlySet<number> = new Set(),
): readonly ReferenceCall[] {
  const beside = new Map(aligned.pairs.map(({ was, is }) => [is, older[was] as ReferenceCall]));
  const alone = aligned.missing.map((place) => ({
    ...(older[place] as ReferenceCall),
    ...({ optional: true, loose: true } as const),
  }));
  const calls = [
    ...newer.map((call, place) => mergeCalls(beside.get(place), call, mixed.has(place))),
    ...alone,
  ];
  return calls.sort((a, b) => a.began - b.began);
}

/** Ids are compared within a call only. */
function mergeBefore(older?: ReferenceBefore, newer?: ReferenceBefore): ReferenceBefore | undefined {
  if (!older || !newer) return undefined;
  const calls = mergeLists(older.calls, newer.calls, alignCalls(older.calls, newer.calls));
  const full = calls.length > referenceLimits.calls ? calls.map(edgeIn) : [];
  const cut = [...new Set([...older.cut, ...newer.cut, ...full])];
  return { calls: calls.filter((call) => !cut.includes(edgeIn(call))), cut };
}

function mergeCalls(older: ReferenceCall | undefined, newer: ReferenceCall, isMixed: boolean): ReferenceCall {
  if (!older) return { ...newer, optional: true, loose: true };
  const isOptional = older.optional || newer.optional;
  const isLoose = older.loose || isMixed;
  return {
    ...newer,
    request: mergeValues(older.request, newer.request),
    answer: mergeValues(older.answer, newer.answer),
    ...(isOptional ? { optional: true } : {}),
    ...(isLoose ? { loose: true } : {}),
  };
}

function mergeOutputs(
  older: readonly ReferenceOutput[],
  newer: readonly ReferenceOutput[],
): readonly ReferenceOutput[] {
  const find = (
    list: readonly ReferenceOutput[],
    { party, name }: ReferenceOutput,
  ): ReferenceOutput | undefined => list.find((one) => one.party === party && one.name === name);
  const merged = newer.map((output) => {
    const before = find(older, output);
    if (!before || before.asked !== output.asked) return output;
    return { ...output, value: mergeValues(before.value, output.value) };
  });
  return [...merged, ...older.filter((output) => !find(newer, output))].slice(0, referenceLimits.outputs);
}

/** Leaf by leaf: what is not the same except for ids becomes a mark. */
function mergeValues(older: unknown, newer: unknown): unknown {
  if (older === varies || newer === varies) return varies;
  if (older === tooMuch || newer === tooMuch) return tooMuch;
  if (Array.isArray(older) && Array.isArray(newer) && older.length === newer.length)
    return newer.map((item, index) => mergeValues(older[index], item));
  if (isMap(older) && isMap(newer)) {
    const keys = [...new Set([...Object.keys(newer), ...Object.keys(older)])];
    return Object.fromEntries(keys.map((key) => [key, mergeValues(older[key], newer[key])]));
  }
  if (compareValues(older, newer).likeness !== 'same') return varies;
  return typeof older === 'string' && typeof newer === 'string' ? markChanged(older, newer) : newer;
}
