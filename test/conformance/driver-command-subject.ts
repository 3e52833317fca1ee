/** The command driver in each situation of the suite; the other side is a shell script. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandDriver } from '../../src/drivers/command/command-driver.ts';
import type { CommandStep } from '../../src/drivers/command/command-step.ts';
import type { DriverSubject, Ground, Stage } from './driver-subject.ts';

export const commandSubject: DriverSubject = {
  name: 'command',
  situations: {
    answers: (ground) =>
      setup(ground, `echo '{"ok":true}'; cat >&2`, {
        evidence: { exitCode: 0, signal: null, json: { ok: true }, stderr: 'hello' },
      }),
    hangs: (ground) =>
      setup(ground, 'echo begun; sleep 1000 & sleep 1000', {
        error: 'timeout',
        evidence: { exitCode: null, signal: 'SIGKILL', stdout: 'begun\n' },
      }),
    closes: (ground) => setup(ground, 'exit 3', { evidence: { exitCode: 3, stdout: '' } }),
    resets: (ground) => setup(ground, 'kill -9 $$', { evidence: { exitCode: null, signal: 'SIGKILL' } }),
    garbage: (ground) =>
      setup(ground, "printf '{\"a\\377\\376'", { evidence: { exitCode: 0, stdout: '{"a‹no-utf8›' } }),
    late: (ground) =>
      setup(ground, 'while [ ! -e go ]; do sleep 0.02; done; echo late', { error: 'timeout' }),
    refuses: (ground) => setup(ground, '', { error: 'not-started' }, { argv: ['no-such-program-anywhere'] }),
  },
  impossible: {
    'no program': (ground) => setup(ground, '', {}, { argv: [] }),
    'a program that is not there': (ground) => setup(ground, '', {}, { argv: ['./no-such-program'] }),
    'a folder that is not there': (ground) => setup(ground, 'true', {}, { cwd: 'nowhere' }),
    'a file that may not be executed': (ground) => {
      writeFileSync(path.join(ground.folder, 'plain.txt'), 'no program\n', { mode: 0o600 });
      return setup(ground, '', {}, { argv: ['./plain.txt'] });
    },
    'a word with a NUL': (ground) => setup(ground, '', {}, { argv: ['echo', 'a\0b'] }),
    'a variable with a NUL': (ground) => setup(ground, 'true', {}, { env: { A: 'b\0c' } }),
  },
};

/** The script writes a file to show that it runs, because it may not live long enough to be asked. */
async function setup(
  ground: Ground,
  script: string,
  facts: Pick<Stage, 'error' | 'evidence'>,
  changes: Partial<CommandStep> = {},
): Promise<Stage> {
  const mark = path.join(ground.folder, 'heard');
  const step: CommandStep = {
    argv: ['sh', '-c', `echo "$0" > heard; ${script}`, 'the words that were sent'],
    stdin: 'hello',
    ...changes,
  };
  return {
    ...facts,
    start: (context) => ({ act: commandDriver.start(step, context), close: async () => {} }),
    heardBytes: () => (existsSync(mark) ? readFileSync(mark).length : 0),
    left: () => [],
    release: async () => writeFileSync(path.join(ground.folder, 'go'), ''),
  };
}
