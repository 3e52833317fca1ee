/** Ready when a command ends with 0. */
import { lastOf } from '../../kernel/cut-text.ts';
import { isReady, type Look, notReady } from './look.ts';
import type { ReadinessSubject } from './subject.ts';

export function commandProbe(run: readonly string[], subject: ReadinessSubject): Look {
  return async (signal) => {
    const { code, output } = await subject.runCommand(run, signal);
    return code === 0
      ? isReady
      : notReady(`\`${run.join(' ')}\` ended with ${code ?? 'a signal'}: ${lastOf(output.trim(), 200)}`);
  };
}
