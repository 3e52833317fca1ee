/** Asks a program on PATH one short question, and ends it, with all that it started, when the answer is no longer wanted. */
import { spawn } from 'node:child_process';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { Problem } from '../../kernel/problem.ts';
import { withStreams } from '../../kernel/with-streams.ts';
import type { Call } from '../verb.ts';

export interface Answer {
  readonly code: number | null;
  /** Both outputs together, as lines; empty ones left out. */
  readonly said: readonly string[];
}

const mostOutput = 4_000;

/** The path of the program; undefined when it is not on PATH. */
export function locate(call: Call, command: string): string | undefined {
  try {
    return findBinary(command, call.env.PATH ?? '', call.cwd, 'doctor');
  } catch (error) {
    if (error instanceof Problem && error.code === 'world.missing-binary') return undefined;
    throw error;
  }
}

export function askProgram(
  call: Call,
  file: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    // A group of its own, so that a wrapper script is ended together with what it wraps.
    const child = withStreams(
      spawn(file, args, {
        cwd: call.cwd,
        env: call.env,
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
    return; // it has ended meanwhile
  }
}
