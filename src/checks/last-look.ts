/** What a check claims in a closed world: what it was shown, and at the end only while it still holds. Pure. */
import { defined } from '../kernel/defined.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import type { AttemptView } from './attempt-view.ts';
import type { CheckRecord } from './trial-record.ts';

type Element = Readonly<Record<string, unknown>>;

/** The name under which a check with `within` that a closed world names is sampled once more, at the end. */
export function lastLookName(check: string): string {
  return `${check}/end`;
}

/** Whether checks of this kind show what can change. */
export function canClaim(kind: string): boolean {
  const { change, readsFile } = checkKind(kind) ?? {};
  return (change ?? readsFile) !== undefined;
}

export interface Shown {
  /** The elements of all samples. */
  readonly ever: readonly Element[];
  /** It held, and no longer does: it claims only what is in these elements, of the look with which it ended. */
  readonly then?: readonly Element[];
  /** What the last look of all showed, where one could be made. */
  readonly last?: readonly Element[];
}

/** `holds` says whether the check holds for a value. */
export function shownTo(check: CheckRecord, view: AttemptView, holds: (value: unknown) => boolean): Shown {
  const own = samplesOf(check.id, view);
  const atTheEnd = view.probes.get(lastLookName(check.id));
  if (!atTheEnd) return { ever: own.flat(), ...defined({ last: own.at(-1) }) };
  const [last] = samplesOf(lastLookName(check.id), view);
  const ever = [...own, last ?? []].flat();
  return last && holds(last) ? { ever, last } : { ever, then: own.at(-1) ?? [], ...defined({ last }) };
}

function samplesOf(probe: string, { probes }: AttemptView): readonly (readonly Element[])[] {
  return (probes.get(probe)?.samples ?? []).flatMap((sample) =>
    sample.type === 'probe.sampled' && Array.isArray(sample.value) ? [sample.value as Element[]] : [],
  );
}
