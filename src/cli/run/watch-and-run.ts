/** `--watch`: performs the selection, and again whenever a file of the system changes. */
import { watch } from 'node:fs';
import path from 'node:path';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { formatProblem, problemsIn } from '../../kernel/problem.ts';
import { type Interrupts, interruptExitCode } from '../interrupts.ts';
import { systemFolder } from '../open-system.ts';
import type { Call } from '../verb.ts';

const settleMs = 200;
const ignored = ['.shakedown', '.git', 'node_modules'];

export async function watchAndRun(
  call: Call,
  interrupts: Interrupts,
  performOnce: (call: Call, interrupts: Interrupts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const folder = await systemFolder(call);
  let code: ExitCode = exitCodes.held;
  while (interrupts.received() === undefined) {
    const changed = nextChange(call, folder);
    code = await performOnce(call, interrupts).catch((error: unknown) => {
      // A half-written trial is corrected while we watch.
      const problems = problemsIn(error);
      for (const problem of problems) call.terminal.err(formatProblem(problem));
      return problems[0]?.exitCode ?? exitCodes.bug;
    });
    if (interrupts.received() !== undefined) break;
    call.terminal.out(call.terminal.paint('dim', '\nwaiting for a change … (Ctrl-C ends)'));
    const file = await Promise.race([changed.happened, interrupts.first.then(() => undefined)]);
    changed.stop();
    if (file !== undefined) call.terminal.out(call.terminal.paint('dim', `${file} changed\n`));
  }
  const signal = interrupts.received();
  return signal ? interruptExitCode(signal) : code;
}

function nextChange(call: Call, folder: string): { readonly happened: Promise<string>; stop(): void } {
  const happened = Promise.withResolvers<string>();
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null || file.split(path.sep).some((part) => ignored.includes(part))) return;
    call.clock.after(settleMs, () => happened.resolve(file));
  });
  return { happened: happened.promise, stop: () => watcher.close() };
}
