import { expect, test } from 'vitest';
import { chooseKill, nastySystem, performKill } from './faults/kill-campaign.ts';
import { makeProject } from './harness/project.ts';
import { nothing } from './harness/until.ts';

/** A long campaign uses more: `npm run faults`. */
const moments = Number(process.env.SHAKEDOWN_KILL_MOMENTS ?? 8);
const first = Number(process.env.SHAKEDOWN_KILL_FIRST ?? 0);
const longestMs = 2_500;

test.each(Array.from({ length: moments }, (_, index) => chooseKill(first + index, longestMs)))(
  'nothing is left after $seed: $roles killed after $afterMs ms, contained by $containment',
  async (kill) => {
    const project = makeProject({ 'shakedown.yaml': nastySystem });
    const outcome = await performKill(project, kill);
    expect(outcome).toMatchObject({ left: nothing });
  },
  60_000,
);
