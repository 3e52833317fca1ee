/** `mergeDigests`: the reference of a trial from its passing runs; what varies between them is no longer compared. */
import { isMap } from '../../../kernel/is-map.ts';
import { alignCalls } from './align-calls.ts';
import { compareValues } from './compare-values.ts';
import { findMixedIds } from './mixed-ids.ts';
import {
  isDigest,
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
  const beside = new Map(aligned.pairs.map(({ was, is }) => [is, older.calls[was] as ReferenceCall]));
  const alone = aligned.missing.map((place) => ({
    ...(older.calls[place] as ReferenceCall),
    optional: true as const,
  }));
  const calls = [...newer.calls.map((call, place) => mergeCalls(beside.get(place), call)), ...alone];
  const hasMixed = older.looseLinks || findMixedIds(aligned, newer.calls) !== undefined;
  const merged: ReferenceDigest = {
    ...newer,
    runs: older.runs + 1,
    durationMs: Math.max(older.durationMs, newer.durationMs),
    calls: calls.sort((a, b) => a.began - b.began),
    outputs: mergeOutputs(older.outputs, newer.outputs),
    prepared: { ...older.prepared, ...newer.prepared },
    usual: [...new Set([...older.usual, ...newer.usual])].sort(),
    ...(hasMixed ? { looseLinks: true } : {}),
  };
  return calls.length > referenceLimits.calls ? newer : merged;
}

function mergeCalls(older: ReferenceCall | undefined, newer: ReferenceCall): ReferenceCall {
  if (!older) return { ...newer, optional: true };
  const isOptional = older.optional || newer.optional;
  return {
    ...newer,
    request: mergeValues(older.request, newer.request),
    answer: mergeValues(older.answer, newer.answer),
    ...(isOptional ? { optional: true } : {}),
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
  if (Array.isArray(older) && Array.isArray(newer) && older.length === newer.length)
    return newer.map((item, index) => mergeValues(older[index], item));
  if (isMap(older) && isMap(newer)) {
    const keys = [...new Set([...Object.keys(newer), ...Object.keys(older)])];
    return Object.fromEntries(keys.map((key) => [key, mergeValues(older[key], newer[key])]));
  }
  return compareValues(older, newer).likeness === 'same' ? newer : varies;
}
