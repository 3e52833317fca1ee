/** After the keeper has ended: waits for its guard, and removes what both could not. Returns what is left. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { findOwnFile } from '../../kernel/folders/own-file.ts';
import { limits } from '../../kernel/limits.ts';
import { orElse } from '../../kernel/or-else.ts';
import type { Swept } from '../containment/sweep.ts';
import { sweptName } from '../run-folder.ts';
import { endStrays } from '../strays.ts';
import type { Launched } from './launch.ts';

export async function sweepAfterGuard(
  { plan, client, guardEnded, letGo }: Launched,
  clock: Clock,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  // A connection can end while its keeper lives on.
  void client.gone.then(letGo);
  const ended = await within(
    clock,
    limits.teardownWithinMs,
    guardEnded.then(() => true),
  );
  if (!existsSync(plan.workspace)) return namedBySweep(plan.runFolder);
  // A guard that is still sweeping must not be disturbed.
  if (!ended) return [`folder ${plan.workspace}`];
  const { sweep } = await import('../containment/sweep.ts'); // both killed is rare
  return (await sweep(plan, clock, env)).leftBehind;
}

/** What a sweep doubts is named once: it keeps no workspace for it. */
function namedBySweep(runFolder: string): readonly string[] {
  const text = findOwnFile(path.join(runFolder, sweptName)) ?? '';
  return orElse(() => (JSON.parse(text) as Swept).leftBehind, []);
}

/** Children of the user's own programs run outside of the namespace, where only this process can find them. */
export async function endOutsiders(
  { plan }: Pick<Launched, 'plan'>,
  clock: Clock,
  onStray: (commandLine: string) => void,
): Promise<readonly string[]> {
  const { found, left } = await endStrays({ ...plan, clock, alone: false });
  for (const commandLine of found) onStray(commandLine);
  return left;
}
