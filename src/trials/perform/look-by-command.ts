/** Runs the program of a `command` check, as a step would, on this machine or inside of a container. */
import { commandDriver } from '../../drivers/command/command-driver.ts';
import type { CommandStep } from '../../drivers/command/command-step.ts';
import type { ActEvidence, DriverContext } from '../../drivers/driver.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { commandStep } from '../../kinds/command/step.ts';
import type { Spec } from '../../kinds/kind/step-kind.ts';
import { ObservationError } from '../../observers/observer.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { runInside } from './run-inside.ts';

/** A look that takes longer says nothing. */
const lookMs = 10_000;

export async function lookByCommand(
  environment: LiveEnvironment,
  driving: Omit<DriverContext, 'timeoutMs' | 'folder'>,
  spec: Spec,
): Promise<ActEvidence> {
  if (spec.in !== undefined)
    return runInside({ environment, driving }, spec, lookMs).catch((error: unknown) => {
      const [problem] = problemsIn(error);
      if (!problem || problem.code === 'shakedown.keeper-died') throw error;
      throw new ObservationError(`${problem.what}; ${problem.next}`, 'later');
    });
  const prepared = commandStep.toDriver?.(spec);
  if (!prepared || 'fault' in prepared) throw new ObservationError(prepared?.fault ?? 'it cannot be run');
  const context = { ...driving, timeoutMs: lookMs, folder: environment.system.folder };
  const act = commandDriver.start(prepared.step as unknown as CommandStep, context);
  await act.done;
  return act.evidence();
}
