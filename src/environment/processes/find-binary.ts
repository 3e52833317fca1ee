/** Finds the program that a command line names, before anything is started. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isExecutable } from '../../kernel/is-executable.ts';
import { nearest } from '../../kernel/nearest.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';

/** The absolute path of the program, looked up as a shell does: on PATH, or relative to its working folder. */
export function findBinary(command: string, searchPath: string, cwd: string, where: string): string {
  if (command.includes('/')) {
    const file = path.resolve(cwd, command);
    if (isExecutable(file)) return file;
    throw missing(
      where,
      command,
      [`tried ${file}`],
      'check the path, and that the file may be executed (chmod +x)',
    );
  }
  const folders = searchPath.split(path.delimiter).filter(Boolean);
  const found = folders.map((folder) => path.resolve(cwd, folder, command)).find(isExecutable); // one that is not is looked for in the next folder
  if (found) return found;
  // PATH may name folders that do not exist.
  const names = folders.flatMap((folder) => orElse(() => readdirSync(folder), []));
  const close = nearest(command, names);
  const next = close
    ? `did you mean \`${close}\`? Otherwise install \`${command}\` or give its path`
    : `install \`${command}\` or give its path`;
  throw missing(
    where,
    command,
    folders.map((folder) => `looked in ${folder}`),
    next,
  );
}

function missing(where: string, command: string, evidence: readonly string[], next: string): Problem {
  return new Problem({
    code: 'world.missing-binary',
    where,
    what: `the program \`${command}\` was not found`,
    allowed: 'the name of a program on PATH, or the path of an executable file',
    next,
    evidence: evidence.slice(0, 20),
  });
}
