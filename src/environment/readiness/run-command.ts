/** Runs a readiness command with the variables and in the folder of the service that it asks about. */
import { spawn } from 'node:child_process';
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
    const child = spawn(command as string, args, {
      cwd: program.cwd,
      env: program.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(-mostOutput);
    };
    const stop = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, output });
    });
  });
}
