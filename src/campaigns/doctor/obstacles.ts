/** Why the doctor does not perform a trial, and the exact command that would perform it. */
import type { QuarantineEntry } from '../../checks/quarantine.ts';
import { speaksOf } from '../../checks/quarantine.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import { mayReach } from './real-peers.ts';
import type { Obstacle } from './smoke-plan.ts';

export interface ObstacleParts {
  readonly system: System;
  /** What the machine lacks, by trial. */
  readonly unmet: ReadonlyMap<string, string>;
  readonly quarantine: readonly QuarantineEntry[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As named on the command line. */
  readonly config?: string | undefined;
}

export function obstaclesFor(parts: ObstacleParts): (trial: Trial) => Obstacle | undefined {
  const { system, unmet, quarantine, config, env } = parts;
  return (trial) => {
    const { id, expectedFailure } = trial.record;
    const command = runCommand(id, config);
    const lack = unmet.get(id);
    if (lack !== undefined) return { why: lack, command: `${setting(trial, env)}${command}` };
    const real = mayReach(system, trial);
    if (real.length > 0)
      return { why: `it may call the real ${real.join(', ')}, which costs money or needs a key`, command };
    if (expectedFailure) return { why: `it is known to fail: ${expectedFailure.because}`, command };
    const entry = quarantine.find((one) => speaksOf(one, id));
    if (entry) return { why: `it is in quarantine until ${entry.until} (${entry.owner})`, command };
    return undefined;
  };
}

function runCommand(id: string, config: string | undefined): string {
  const named = config === undefined ? '' : ` --config ${shellWord(config)}`;
  return `shakedown run${named} ${shellWord(id)}`;
}

/** Variables that it needs and that are not set are put in front of the command. */
function setting({ needs }: Trial, env: ObstacleParts['env']): string {
  return needs
    .flatMap((need) => (need.kind === 'env' && !env[need.name] ? [`${need.name}=… `] : []))
    .join('');
}
