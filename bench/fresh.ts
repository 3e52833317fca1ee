/** The butlers made fresh from their snapshot, beside a boot from nothing, a restart, and a second run that reuses the snapshot. */
import { bootCold, copyButlers } from './boot/butlers-copy.ts';
import { buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { holdEnvironment } from './fresh/hold-environment.ts';
import type { BenchResult } from './run.ts';
import { formatSideBySide, sideBySide } from './side-by-side.ts';

const rounds = 7;
const cold = 'cold boot';
const fresh = 'fresh';
const restart = 'restart';

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  try {
    const [coldProject, heldProject] = await Promise.all([
      copyButlers(built, 'cold'),
      copyButlers(built, 'held'),
    ]);
    const held = await holdEnvironment(heldProject, built.env);
    try {
      const result = await sideBySide(
        rounds,
        whileWanted([
          { name: cold, measure: () => bootCold(built, coldProject) },
          { name: fresh, measure: async () => ({ readyMs: await held.renew('fresh') }) },
          { name: restart, measure: async () => ({ readyMs: await held.renew('restart') }) },
        ]),
      );
      return {
        table: formatSideBySide({ ...result, metrics: ['readyMs'] }),
        ratios: {
          freshOverColdBoot: result.ratio('readyMs', fresh, cold),
          restartOverColdBoot: result.ratio('readyMs', restart, cold),
        },
        aims: { freshOverColdBoot: { atMost: 0.25 } },
        peersAbsent: [],
      };
    } finally {
      await held.end();
    }
  } finally {
    await built.remove();
  }
}
