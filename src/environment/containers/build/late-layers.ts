/** Finds what builds that were cut off have made afterwards, which has neither a name nor a label. */
import type { Clock } from '../../../kernel/clock.ts';
import type { EngineIntent } from '../../containment/ledger.ts';
import { engineLimits } from '../engine/engine-limits.ts';
import { listLooseLayers } from '../engine/image-calls.ts';
import { environmentLabel } from '../engine/names.ts';
import type { Engine } from '../engine/open-engine.ts';

/**
 * Each is on the layer on which its build was at work, made since then, and for some time already, so that no other build goes on with
 * it. Where there are several, none is surely ours.
 */
export async function lateLayers(
  engine: Engine,
  clock: Pick<Clock, 'now'>,
  builds: ReadonlyArray<NonNullable<EngineIntent['onto']>>,
): Promise<readonly string[]> {
  if (builds.length === 0) return [];
  const loose = await listLooseLayers(engine);
  return builds.flatMap(({ layer, since }) => {
    const found = loose.filter(
      ({ parent, madeAt, labels }) =>
        parent.startsWith(`sha256:${layer}`) &&
        madeAt > since - 1_000 &&
        labels[environmentLabel] === undefined,
    );
    const isOver = found.every(({ madeAt }) => madeAt < clock.now() - engineLimits.lateMs);
    return isOver && found.length === 1 ? found.map(({ id }) => id) : [];
  });
}
