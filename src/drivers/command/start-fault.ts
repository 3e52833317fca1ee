/** Says why a program could not be started. */
import { statSync } from 'node:fs';
import { errorCode } from '../../kernel/system-error.ts';

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What can be seen before it is tried; the system's own error would blame the program for a missing folder. */
export function faultBefore({ argv, cwd }: Program): string | undefined {
  if (argv.length === 0 || argv[0] === '')
    return 'there is no program to start: `command` must be a list of words';
  if (argv.some((word) => word.includes('\0')))
    return 'a word of the command contains a NUL, which cannot be passed to a program';
  const isFolder = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? undefined : `the working folder ${cwd} does not exist`;
}

export function startFault(error: unknown, { argv, cwd, env }: Program): string {
  const [command = ''] = argv;
  const code = errorCode(error);
  if (code === 'ENOENT') {
    return command.includes('/')
      ? `the program \`${command}\` was not found, or what its first line names was not; it ran in ${cwd}`
      : `the program \`${command}\` was not found on PATH: ${env.PATH ?? '(no PATH)'}`;
  }
  if (code === 'EACCES')
    return `the program \`${command}\` may not be executed (EACCES); chmod +x makes it so`;
  if (code === 'E2BIG')
    return `the words and variables of \`${command}\` are more than the system allows (E2BIG)`;
  return `the program \`${command}\` could not be started: ${error instanceof Error ? error.message : String(error)}`;
}
