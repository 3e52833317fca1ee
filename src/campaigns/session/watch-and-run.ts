/** Runs the selection, and again whenever a file beside the config changes. */
import { type ExitCode, exitCodes, interruptExitCode } from '../../kernel/exit-codes.ts';
import type { Host } from './host.ts';
import type { Interrupts } from './interrupts.ts';
import { systemFolder } from './open-system.ts';
import { watchFolder } from './watch-folder.ts';

/** An editor may write a file in several steps. */
const settleMs = 200;

/** `performOnce` reports its own errors: a trial that is being edited may be invalid for a moment. */
export async function watchAndRun(
  host: Host,
  interrupts: Interrupts,
  performOnce: () => Promise<ExitCode>,
  say: (text: string) => void,
): Promise<ExitCode> {
  const folder = await systemFolder(host);
  let code: ExitCode = exitCodes.held;
  let during: ReadonlyArray<ReadonlySet<string>> = [];
  while (interrupts.received() === undefined) {
    const changes = watchFolder(folder);
    try {
      code = await performOnce();
      await host.clock.sleep(settleMs);
      const edited = [...changes.seen()].find((file) => !isWrittenEachTime(file, during));
      during = [...during, new Set([...changes.seen()].map(withoutNumbers))].slice(-writtenInRuns);
      if (interrupts.received() !== undefined) break;
      if (edited === undefined) say('\nwaiting for a change … (Ctrl-C ends)');
      const file = edited ?? (await Promise.race([changes.next(), interrupts.first.then(() => undefined)]));
      if (file === undefined) break;
      await host.clock.sleep(settleMs);
      say(`${file} changed\n`);
    } finally {
      changes.stop();
    }
  }
  const signal = interrupts.received();
  return signal ? interruptExitCode(signal) : code;
}

const writtenInRuns = 2;

/** A file that changes in every run is written by the system, and does not trigger another run. */
function isWrittenEachTime(file: string, during: ReadonlyArray<ReadonlySet<string>>): boolean {
  return during.length === writtenInRuns && during.every((files) => files.has(withoutNumbers(file)));
}

/** A log may have its start time or an id in its name; short numbers are part of names that people chose. */
function withoutNumbers(file: string): string {
  return file.replaceAll(/[\da-f]{8,}|\d{6,}/g, '#');
}
