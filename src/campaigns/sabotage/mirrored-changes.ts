/** A change that is invented is shown to the checks that look there, too: one that claims everything claims it. */
import { isDeepStrictEqual } from 'node:util';
import type { AttemptView, ProbeView } from '../../checks/attempt-view.ts';
import { keyOf, looksAtKey } from '../../checks/claims-key.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { Mutant } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';

type Change = Readonly<Record<string, unknown>>;

/** `value` is what changed, `mutated` what would have. */
export function withMirrored(
  { only = [] }: Pick<CheckRecord, 'only'>,
  view: AttemptView,
  value: unknown,
  mutated: unknown,
): AttemptView {
  if (only.length === 0 || !Array.isArray(value) || !Array.isArray(mutated)) return view;
  const invented = mutated.filter(
    (change): change is Change =>
      isPlainMap(change) && change.op !== 'deleted' && !value.some((one) => isDeepStrictEqual(one, change)),
  );
  if (invented.length === 0) return view;
  const probes = new Map(view.probes);
  for (const claimant of view.checks.filter(({ id }) => only.includes(id))) {
    const shown = invented.flatMap((change) => shownTo(claimant, change));
    const probe = probes.get(claimant.id);
    if (shown.length > 0 && probe) probes.set(claimant.id, withElements(probe, shown));
  }
  return { ...view, probes };
}

/** The element that a check would have been shown of a change. */
function shownTo({ kind, query }: CheckRecord, change: Change): readonly unknown[] {
  const { change: shows, filters } = checkKind(kind) ?? {};
  if (shows !== change.kind) return [];
  const { service, table, row, path } = change;
  if (shows === 'key') return looksAtKey(query, change) ? [keyOf(change)] : [];
  // A check of one table claims by its condition, whatever it was shown.
  if (shows === 'row') return query.table === '*' ? [{ service, table, row }] : [];
  if (shows !== 'file' || query.service !== service) return [];
  const globs = createRegexTester();
  const isNamed = (filters?.(query) ?? []).every(([, glob]) => globs.test(glob, '', String(path)) === true);
  return isNamed ? [{ path }] : [];
}

function withElements({ samples, end }: ProbeView, added: readonly unknown[]): ProbeView {
  const seen = samples.map((sample) =>
    sample.type === 'probe.sampled' && Array.isArray(sample.value)
      ? { ...sample, value: [...sample.value, ...added] }
      : sample,
  );
  return { samples: seen, end };
}

/** In place of a foreign element of a list: changes as a broken system makes them. */
export function foreignChanges(mutant: Mutant, kinds: unknown, seen: readonly unknown[]): readonly Mutant[] {
  const { kind, value } = mutant;
  if (kind !== 'list' || !Array.isArray(value) || !value.some(isForeign)) return [mutant];
  const known = value.filter((change) => !isForeign(change));
  const { service = 'unknown' } = (seen.find(isPlainMap) ?? {}) as Change;
  return (Array.isArray(kinds) ? kinds : []).flatMap((word) => {
    const { change, unwanted } = checkKind(word) ?? {};
    if (!unwanted) return [];
    const what = `one of the ${word} changed that nothing should change`;
    return [{ ...mutant, value: [...known, { kind: change, ...unwanted, service }], what }];
  });
}

function isForeign(change: unknown): boolean {
  return isPlainMap(change) && change.strange === true;
}
