/** Runs the binary while the n-th system call of a kind fails in each of its processes, through strace. */
import path from 'node:path';
import { binary, type Project } from '../harness/project.ts';
import type { CommandResult } from '../harness/run-command.ts';
import { runCommand } from '../harness/run-command.ts';

export interface SyscallFault {
  readonly call: string;
  readonly error: string;
  readonly nth: number;
}

export function runWithFault(
  project: Project,
  fault: SyscallFault,
  args: readonly string[],
): Promise<CommandResult> {
  const { call, error, nth } = fault;
  const strace = [
    'strace',
    '--quiet=all',
    '--follow-forks',
    `--output=${path.join(project.folder, 'strace.txt')}`,
    `--trace=${call}`,
    `--inject=${call}:error=${error}:when=${nth}`,
  ];
  return runCommand([...strace, process.execPath, binary, ...args], {
    cwd: project.folder,
    env: project.env,
    withinMs: 60_000,
  });
}
