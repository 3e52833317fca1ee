/** A config that starts the processes of a Procfile: each a service, and `release` a job before them. */
import path from 'node:path';
import { Problem, refuse } from '../../kernel/problem.ts';
import { escapeReferences } from '../../kernel/references.ts';
import { positionAt } from '../../kernel/source-position.ts';
import { readText } from '../source/read-text.ts';
import type { DeriveRequest } from './derive-config.ts';
import { type DerivedConfig, type DerivedProgram, printSystem } from './derived-config.ts';
import { derivedName } from './derived-name.ts';
import { projectVariables } from './project-variables.ts';

export async function deriveProcfile({ file, source }: DeriveRequest): Promise<DerivedConfig> {
  const text = await readText(file, { noun: 'Procfile', unreadable: 'config.unreadable' });
  const folder = path.dirname(file);
  const lines = linesOf(file, text);
  const { resources, env, comments } = await projectVariables(folder);
  const release = lines.find(({ name }) => name === 'release');
  const programs = lines.map((line) => programOf(line, env, release !== undefined));
  const system = { source, name: derivedName(path.basename(folder)), comments, resources, programs };
  return { source, folder, notes: [], yaml: (learned) => printSystem(system, learned) };
}

interface Line {
  readonly name: string;
  readonly command: string;
}

function linesOf(file: string, text: string): readonly Line[] {
  const problems: Problem[] = [];
  const found: Line[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const [, name, command] = /^([\w-]+):\s*(\S.*)$/.exec(line.trim()) ?? [];
    if (name !== undefined && command !== undefined) found.push({ name, command });
    else if (line.trim() !== '' && !line.trim().startsWith('#'))
      problems.push(notALine(file, text, offset, line));
    offset += line.length + 1;
  }
  const names = found.map(({ name }) => derivedName(name));
  const twice = found.find(({ name }, index) => names.indexOf(derivedName(name)) !== index);
  if (twice) problems.push(duplicate(file, twice.name));
  if (found.length + problems.length === 0) problems.push(notALine(file, text, 0, ''));
  refuse(problems);
  return found;
}

/** `web` gets a port, as everywhere; another one where its command names it. */
function programOf(
  { name, command }: Line,
  env: Readonly<Record<string, string>>,
  isReleased: boolean,
): DerivedProgram {
  const isJob = name === 'release';
  const listens = name === 'web' || /\$\{?PORT\b/.test(command);
  return {
    name: derivedName(name),
    isJob,
    keys: {
      run: escapeReferences(command),
      listen: listens && !isJob ? { env: 'PORT' } : undefined,
      env: Object.keys(env).length > 0 ? env : undefined,
      after: isReleased && !isJob ? ['release'] : undefined,
    },
    comments: listens || isJob ? [] : ['? If it listens: listen: { env: PORT }'],
  };
}

function notALine(file: string, text: string, offset: number, line: string): Problem {
  return new Problem({
    code: 'config.syntax',
    where: positionAt(file, text, offset, Math.max(1, line.length)),
    what: line === '' ? 'the Procfile has no process' : `this line has no name and command: ${line.trim()}`,
    allowed: 'lines `name: command`, empty lines, and comments after #',
    next: 'write for example `web: python app.py`',
  });
}

function duplicate(file: string, name: string): Problem {
  return new Problem({
    code: 'config.duplicate-name',
    where: file,
    what: `two processes are called \`${name}\``,
    allowed: 'a name of its own for each process',
    next: 'rename one of the two',
  });
}
