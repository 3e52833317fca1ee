/** A running system to inspect: the one that is up in this folder, or one that is booted for it. */
import { forgetRunFolder } from '../../environment/run-folder.ts';
import { Problems } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import type { Host } from './host.ts';
import type { Interrupts } from './interrupts.ts';
import { leftBehindProblems } from './leftovers.ts';
import { type EnvironmentRequest, identifyRun, openSession } from './open-session.ts';

/** Undefined when it was interrupted; `attach`: on the environment that is up in this folder. */
export async function onRunningSystem<Result>(
  host: Host,
  system: System,
  { attach, ...request }: EnvironmentRequest & { readonly attach: boolean },
  interrupts: Interrupts,
  look: (environment: LiveEnvironment, signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const identity = identifyRun(host, system, request);
  const { containment } = request;
  const session = await openSession(host, {
    system,
    identity,
    interrupts,
    containment,
    attach,
    say: host.warn,
  });
  const { signal } = session.endings;
  const live = await session.open();
  let looked: Result | undefined;
  try {
    // On an interrupt during the boot, clean up what was started.
    if (!signal.aborted) looked = await look(live.environment, signal);
  } catch (error) {
    await live.end('lint could not inspect it');
    if (!signal.aborted) throw error;
    return undefined;
  }
  const { leaks, problems } = await live.end('lint is done');
  const wrong = [...problems, ...leftBehindProblems(leaks)];
  if (wrong.length > 0) throw new Problems(wrong);
  // No trial ran in it, so nothing of it is evidence.
  await forgetRunFolder(system.folder, session.folder);
  return looked;
}
