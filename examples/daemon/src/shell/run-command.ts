/** Runs one command with the `sh` that is on the PATH, with limits on time and output. */
import { spawn } from 'node:child_process';
import { reasonOf } from '../log.ts';
import { judgeCommand } from './judge-command.ts';

export interface Outcome {
  /** Null when it did not end by itself. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

const outputBytes = 16_384;

export function runCommand(command: string, timeoutMs: number): Promise<Outcome> {
  // A process group of its own, so that the time-out ends the whole pipeline.
  const child = spawn('sh', harmlessArguments(command), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) endGroup(child.pid);
  }, timeoutMs);
  return new Promise((resolve) => {
    const finish = (exit: number | null, trouble = '') => {
      clearTimeout(timer);
      const truncated = stdout.truncated() || stderr.truncated();
      resolve({ exit, stdout: stdout.text(), stderr: stderr.text() + trouble, timedOut, truncated });
    };
    child.once('error', (error) => finish(null, reasonOf(error)));
    child.once('close', (exit) => finish(timedOut ? null : exit));
  });
}

/** The last line of defence: a command that should have been refused is printed by the shell, never executed. */
function harmlessArguments(command: string): string[] {
  return judgeCommand(command).allowed
    ? ['-c', command]
    : ['-c', 'printf "%s\\n" "not run: $1"', 'sh', command];
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It may have ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** What is beyond the limit is read and dropped, so that the program is not held up. */
function collect(stream: NodeJS.ReadableStream): { text(): string; truncated(): boolean } {
  const kept: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < outputBytes) kept.push(chunk.subarray(0, outputBytes - bytes));
    bytes += chunk.length;
  });
  return { text: () => Buffer.concat(kept).toString(), truncated: () => bytes > outputBytes };
}
