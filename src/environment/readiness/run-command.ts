/** Runs a readiness command with the variables and in the folder of its service. */
import { spawn } from 'node:child_process';
import { withStreams } from '../../kernel/with-streams.ts';
import { signalIfThere } from '../containment/end-processes.ts';
import type { PreparedProgram } from '../prepare-program.ts';
import { resolveText } from '../wiring/resolve.ts';

const mostOutput = 4_000;

export function runCommand(
  program: PreparedProgram,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const [command, ...args] = argv.map((text) => resolveText(text, program.lookup, 'readiness command'));
  return new Promise((resolve) => {
    let output = '';
    const child = withStreams(
      spawn(command as string, args, {
        cwd: program.cwd,
        env: program.env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(-mostOutput);
    };
    let code: number | null = null;
    const finish = (): void => {
      signal.removeEventListener('abort', stop);
      resolve({ code, output });
    };
    // The rest of its group is killed with it; a process that left the group and holds our pipes is not waited for.
    const stop = (): void => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null; // another process may have its pid by now
      if (child.pid !== undefined && !hasEnded) signalIfThere(-child.pid, 'SIGKILL');
      finish();
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('exit', (exitCode) => {
      code = exitCode;
      if (child.pid !== undefined) signalIfThere(-child.pid, 'SIGKILL');
    });
    child.on('close', finish);
  });
}
