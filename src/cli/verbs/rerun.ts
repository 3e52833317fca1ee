/** `shakedown rerun`: performs a run again with its seed, whole or one trial of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type RunPlan, readRunPlan } from '../../campaigns/run/run-plan.ts';
import { findRun } from '../run/find-run.ts';
import { runOptions } from '../run/run-options.ts';
import type { Call, Verb } from '../verb.ts';
import { run } from './run.ts';

const kept = ['attach', 'debug', 'parallel', 'isolation', 'containment', 'repeat', 'list'] as const;

export const rerun: Verb = {
  summary: 'perform a stored run again, with its seed',
  usage: '[RUN] [TRIAL…]',
  words: { atMost: Number.POSITIVE_INFINITY },
  options: Object.fromEntries(kept.flatMap((name) => (runOptions[name] ? [[name, runOptions[name]]] : []))),
  run: async (call) => {
    const [word = 'latest', ...trials] = call.words;
    const plan = readRunPlan(await findRun(call, word));
    const variant = Object.entries(plan.variant).map(([name, value]) => `${name}=${value}`);
    const chosen =
      trials.length > 0 ? trials : plan.trials.filter(({ asTwin }) => !asTwin).map(({ id }) => id);
    const again: Call = {
      ...call,
      words: chosen,
      options: {
        ...call.options,
        config: call.options.config ?? configOf(call, plan),
        seed: plan.seed,
        shuffle: plan.shuffled && trials.length === 0,
        repeat: call.options.repeat ?? String(plan.rounds),
        isolation: call.options.isolation ?? plan.isolation,
        'no-skips': plan.skips === 'forbid',
        ...plan.answers,
        ...(variant.length > 0 ? { variant: variant.join(',') } : {}),
      },
    };
    return run.run(again);
  },
};

/** Undefined where it is the one of this folder. A run folder may come from another machine: there it is so, too. */
function configOf({ cwd }: Call, { system, config }: RunPlan): string | undefined {
  const isHere = config === undefined && path.dirname(system.file) === cwd;
  return isHere || !existsSync(system.file) ? undefined : path.relative(cwd, system.file);
}
