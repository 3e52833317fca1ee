/** Runs a short command of a program on PATH, and kills it with its children when the answer is no longer needed. */
import { spawn } from 'node:child_process';
import { findBinary } from '../../../environment/processes/find-binary.ts';
import { Problem } from '../../../kernel/problem.ts';
import { withStreams } from '../../../kernel/with-streams.ts';
import type { Host } from '../../session/host.ts';

export interface Answer {
  readonly code: number | null;
  /** The lines of both outputs, without empty ones. */
  readonly said: readonly string[];
}

const mostOutput = 4_000;

/** The path of the program; undefined when it is not on PATH. */
export function locate(host: Host, command: string): string | undefined {
  try {
    return findBinary(command, host.env.PATH ?? '', host.cwd, 'doctor');
  } catch (error) {
    if (error instanceof Problem && error.code === 'world.missing-binary') return undefined;
    throw error;
  }
}

export function askProgram(
  host: Host,
  file: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    // A process group of its own, so that a wrapper script is killed together with the program that it wraps.
    const child = withStreams(
      spawn(file, args, {
        cwd: host.cwd,
        env: host.env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(0, mostOutput);
    };
    const giveUp = (): void => {
      endGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const answer = (code: number | null): void => {
      signal.removeEventListener('abort', giveUp);
      resolve({
        code,
        said: output
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      });
    };
    signal.addEventListener('abort', giveUp, { once: true });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      keep(Buffer.from(error.message));
      answer(null);
    });
    child.on('close', (code) => answer(code));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    return; // it has already ended
  }
}
