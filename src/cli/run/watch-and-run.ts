/** `--watch`: performs the selection, and again whenever a file beside the config changes. */
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { type Interrupts, interruptExitCode } from '../interrupts.ts';
import { systemFolder } from '../open-system.ts';
import { tellProblems } from '../tell-problems.ts';
import type { Call } from '../verb.ts';
import { watchFolder } from './watch-folder.ts';

/** An editor may write a file in several goes. */
const settleMs = 200;

export async function watchAndRun(
  call: Call,
  interrupts: Interrupts,
  performOnce: (call: Call, interrupts: Interrupts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const folder = await systemFolder(call);
  const dim = (text: string): void => call.terminal.out(call.terminal.paint('dim', text));
  let code: ExitCode = exitCodes.held;
  let during: ReadonlyArray<ReadonlySet<string>> = [];
  while (interrupts.received() === undefined) {
    const changes = watchFolder(folder);
    try {
      code = await performOnce(call, interrupts).catch((error: unknown) => tellError(call, error));
      await call.clock.sleep(settleMs);
      const edited = [...changes.seen()].find((file) => !isWrittenEachTime(file, during));
      during = [...during, new Set([...changes.seen()].map(withoutNumbers))].slice(-writtenInRuns);
      if (interrupts.received() !== undefined) break;
      if (edited === undefined) dim('\nwaiting for a change … (Ctrl-C ends)');
      const file = edited ?? (await Promise.race([changes.next(), interrupts.first.then(() => undefined)]));
      if (file === undefined) break;
      await call.clock.sleep(settleMs);
      dim(`${file} changed\n`);
    } finally {
      changes.stop();
    }
  }
  const signal = interrupts.received();
  return signal ? interruptExitCode(signal) : code;
}

const writtenInRuns = 2;

/** What changes in one run after the other is written by the system, and no reason to perform once more. */
function isWrittenEachTime(file: string, during: ReadonlyArray<ReadonlySet<string>>): boolean {
  return during.length === writtenInRuns && during.every((files) => files.has(withoutNumbers(file)));
}

/** A log may have the time of its start or an id in its name; short numbers are names that people give. */
function withoutNumbers(file: string): string {
  return file.replaceAll(/[\da-f]{8,}|\d{6,}/g, '#');
}

/** A half-written trial is corrected while we watch. */
function tellError(call: Call, error: unknown): ExitCode {
  const problems = problemsIn(error);
  call.terminal.err(tellProblems(problems, call.terminal));
  return problems[0]?.exitCode ?? exitCodes.bug;
}
