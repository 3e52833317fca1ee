/** Writes to the data of the system past the system: a state that no user could have brought about proves little. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import { baseId } from '../place-of-part.ts';
import type { Allowances } from './allowances.ts';
import { serviceFolders, writtenInto } from './service-folders.ts';
import type { SuiteCommand, SuiteScript } from './suite-commands.ts';
import type { SuiteModule } from './suite-modules.ts';
import { suiteFolders } from './suite-modules.ts';
import { databaseClients, statementFile, statementIn, writeIn } from './write-words.ts';

export interface WriteParts {
  readonly system: System;
  readonly modules: readonly SuiteModule[];
  readonly commands: readonly SuiteCommand[];
  readonly scripts: readonly SuiteScript[];
}

export function writeFindings(
  { system, modules, commands, scripts }: WriteParts,
  allowances: Allowances,
): readonly LintFinding[] {
  const isOwn = suiteFolders(system);
  const folders = serviceFolders(system);
  return [
    ...modules.flatMap((module) => [...inImports(module), ...inFileCalls(module, folders)]),
    ...commands.flatMap((command) => inCommand(command, folders)),
    ...scripts.filter(({ file }) => isOwn(file)).flatMap(inScript),
  ].filter(({ file }) => !allowances.writes(file));
}

function inImports({ shown, scan, flows: [flow] }: SuiteModule): readonly LintFinding[] {
  return scan.imports
    .filter(({ specifier }) => databaseClients.includes(specifier))
    .map(({ specifier, line }) => ({
      ...(flow ? { trial: baseId(flow) } : {}),
      file: shown,
      line,
      text: `it imports ${JSON.stringify(specifier)}, and speaks with a store past the system`,
      ...rest,
    }));
}

const fileWrites =
  /^(?:.*\.)?(?:writeFile|writeFileSync|appendFile|appendFileSync|rm|rmSync|unlink|unlinkSync|rename|renameSync|copyFile|copyFileSync|cp|cpSync|mkdir|mkdirSync|truncate|truncateSync)$/;

function inFileCalls(
  { shown, scan, file, flows: [flow] }: SuiteModule,
  folders: readonly string[],
): readonly LintFinding[] {
  return scan.calls.flatMap(({ callee, args, line }) => {
    if (!fileWrites.test(callee)) return [];
    const target = args
      .filter((arg) => typeof arg === 'string')
      .find((arg) => isInside(path.resolve(path.dirname(file), arg), folders));
    if (target === undefined) return [];
    const text = `\`${callee}\` writes to ${JSON.stringify(target)}, which a service keeps its data in`;
    return [{ ...(flow ? { trial: baseId(flow) } : {}), file: shown, line, text, ...rest }];
  });
}

function inCommand(command: SuiteCommand, folders: readonly string[]): readonly LintFinding[] {
  const { trial, place, text, argv, folder } = command;
  const target = writtenInto(argv, folder).find((file) => isInside(file, folders));
  const told =
    writeIn(text) ??
    writeInFile(command) ??
    (target === undefined ? undefined : `it writes to ${target}, which a service keeps its data in`);
  if (told === undefined) return [];
  return [{ trial: baseId(trial), ...place, text: `the step writes past the system: ${told}`, ...rest }];
}

/** Statements may stand in a file; what cannot be read may hold any. */
function writeInFile({ text, folder }: SuiteCommand): string | undefined {
  const named = statementFile(text);
  if (named === undefined) return undefined;
  const file = path.resolve(folder, named);
  if (!existsSync(file)) return `it runs the statements of ${named}, which cannot be looked at`;
  const statement = statementIn(readFileSync(file, 'utf8'));
  return statement === undefined
    ? undefined
    : `it sends ${JSON.stringify(statement)}, from ${named}, to a database`;
}

const clientLines =
  /\b(?:import|from|require)\b.*\b(?:psycopg2?|asyncpg|sqlite3|pymysql|MySQLdb|sqlalchemy|redis|pymongo|pg|mysql2?|better-sqlite3|ioredis|mongodb)\b/;

/** A helper that speaks with a store and changes something there. */
function inScript({ shown, text, command }: SuiteScript): readonly LintFinding[] {
  const lines = text.split('\n');
  const statementAt = lines.findIndex(
    (line) => statementIn(line) !== undefined || writeIn(line) !== undefined,
  );
  if (statementAt < 0 || (!clientLines.test(text) && writeIn(text) === undefined)) return [];
  const shownLine = (lines[statementAt] ?? '').trim().slice(0, 100);
  return [
    {
      trial: baseId(command.trial),
      file: shown,
      line: statementAt + 1,
      text: `the script writes past the system: \`${shownLine}\``,
      ...rest,
    },
  ];
}

function isInside(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file === folder || file.startsWith(`${folder}${path.sep}`));
}

const rest = {
  kind: 'direct-write',
  level: 'finding',
  why: 'a state that no user could have brought about may be one that the system never has, and what would have refused it was not asked',
  next: 'bring the state about through the system, prepare it in a job of the config, or allow it: suite: { writes: { allow: [<trial file>], because: … } }',
} as const;
