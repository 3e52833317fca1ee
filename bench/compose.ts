/** The digest of `examples/compose` from nothing to ready, by docker-compose and by Shakedown in both forms; and ten containers. */

import { composeInstall, measureCompose } from './boot/compose-boot.ts';
import { bootByShakedown } from './boot/shakedown-boot.ts';
import { buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { openDigest } from './compose/digest.ts';
import { openTen } from './compose/ten-containers.ts';
import type { BenchResult } from './run.ts';
import { formatSideBySide, sideBySide } from './side-by-side.ts';

const rounds = 3;
const compose = 'docker-compose';
const containers = 'containers';
const replaced = 'replaced, cold';
const replacedAgain = 'replaced, again';
const ten = 'ten containers';
const tenInTurn = 'ten, one by one';

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  try {
    const digest = await openDigest(built);
    if (digest === undefined)
      return { table: 'nothing to compare with', ratios: {}, aims: {}, peersAbsent: [composeInstall] };
    const many = await openTen(built);
    try {
      const stand = ['--config', 'replaced.config.ts'];
      const result = await sideBySide(
        rounds,
        whileWanted([
          { name: compose, measure: () => measureCompose(digest.call, digest.healthUrl) },
          { name: containers, measure: () => bootByShakedown(built, digest.project) },
          { name: replaced, measure: async () => bootByShakedown(built, await digest.forget(), ...stand) },
          { name: replacedAgain, measure: () => bootByShakedown(built, digest.project, ...stand) },
          { name: ten, measure: () => bootByShakedown(built, many.project) },
          { name: tenInTurn, measure: () => many.inTurn() },
        ]),
      );
      const ratio = (name: string, other: string): number => result.ratio('readyMs', name, other);
      return {
        table: formatSideBySide({ ...result, metrics: ['readyMs', 'teardownMs'] }),
        ratios: {
          containersOverCompose: ratio(containers, compose),
          replacedOverCompose: ratio(replaced, compose),
          secondOverFirst: ratio(replacedAgain, replaced),
          tenOverOneByOne: ratio(ten, tenInTurn),
        },
        aims: {
          containersOverCompose: { atMost: 0.8 },
          replacedOverCompose: { atMost: 0.4 },
          secondOverFirst: { atMost: 0.4 },
          tenOverOneByOne: { atMost: 0.5 },
        },
        peersAbsent: [],
      };
    } finally {
      await digest.remove();
    }
  } finally {
    await built.remove();
  }
}
