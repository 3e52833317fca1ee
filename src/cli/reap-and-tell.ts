/** Before a verb works: takes away what a crashed run left, and says so. */
import { reapCrashed } from '../environment/containment/reap.ts';
import type { Call } from './verb.ts';

export async function reapAndTell(call: Call, systemFolder: string): Promise<readonly string[]> {
  const swept = await reapCrashed(call.clock, call.env, systemFolder);
  for (const { environment, endedProcesses, leftBehind } of swept) {
    const rest = leftBehind.length > 0 ? `; still there: ${leftBehind.join('; ')}` : '';
    call.terminal.err(
      `took away what the crashed environment ${environment} left (${endedProcesses} processes)${rest}`,
    );
  }
  return swept.flatMap(({ leftBehind }) => leftBehind);
}
