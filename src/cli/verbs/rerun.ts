/** `shakedown rerun`: repeats a run with its seed, or some trials of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type RunPlan, readRunPlan } from '../../campaigns/run/run-plan.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import type { Call, Verb } from '../call/verb.ts';
import { runOptions } from '../run/run-options.ts';
import { run } from './run.ts';

const kept = [
  'attach',
  'debug',
  'parallel',
  'isolation',
  'containment',
  'repeat',
  'list',
  'verbose',
] as const;

export const rerun: Verb = {
  summary: 'repeat a stored run with its seed',
  usage: '[RUN] [TRIAL…]',
  positionals: Number.POSITIVE_INFINITY,
  options: Object.fromEntries(kept.flatMap((name) => (runOptions[name] ? [[name, runOptions[name]]] : []))),
  run: async (call) => {
    const [word = 'latest', ...trials] = call.positionals;
    const plan = readRunPlan(await findRun(call, word));
    const variant = Object.entries(plan.variant).map(([name, value]) => `${name}=${value}`);
    const chosen =
      trials.length > 0 ? trials : plan.trials.filter(({ asTwin }) => !asTwin).map(({ id }) => id);
    const again: Call = {
      ...call,
      config: call.config ?? configOf(call, plan),
      positionals: chosen,
      options: {
        ...call.options,
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

/** Undefined for the config of this folder. Also for a run folder that comes from another machine. */
function configOf({ cwd }: Call, { system, config }: RunPlan): string | undefined {
  const isHere = config === undefined && path.dirname(system.file) === cwd;
  return isHere || !existsSync(system.file) ? undefined : path.relative(cwd, system.file);
}
