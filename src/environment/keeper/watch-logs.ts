/** Limits the size of all logs of an environment, and reports what was dropped. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { orElse } from '../../kernel/or-else.ts';
import { capLog } from '../processes/cap-log.ts';

const lookEveryMs = 2_000;

/** `isOver`: the environment is going down, and the logs are rewritten. */
export function watchLogs(runFolder: string, clock: Clock, emit: Emit, isOver: () => boolean): void {
  const folder = path.join(runFolder, 'services');
  const uncapped = new Set<string>();
  const look = async (): Promise<void> => {
    if (isOver()) return;
    // That the run folder was deleted is handled elsewhere.
    for (const entry of orElse(() => readdirSync(folder), [])) {
      if (uncapped.has(entry)) continue;
      const name = path.basename(entry, '.log');
      try {
        const dropped = await capLog(path.join(folder, entry));
        if (dropped) emit({ type: 'log.dropped', name, ...dropped });
      } catch (error) {
        uncapped.add(entry);
        emit({ type: 'log.uncapped', name, because: cutText((error as Error).message, 500) });
      }
    }
    clock.after(lookEveryMs, () => void look());
  };
  clock.after(lookEveryMs, () => void look());
}
