/** Writes to the system's data that bypass the system: a state that no user can reach proves little. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isReference, parseReferences } from '../../../kernel/references.ts';
import type { System } from '../../../system/system.ts';
import type { Found, Rule } from '../rule.ts';
import type { Suite } from './suite.ts';
import type { SuiteCommand, SuiteScript } from './suite-commands.ts';
import { inModule, isInside, type SuiteModule, suiteFolders } from './suite-modules.ts';
import { databaseClients, statementFile, statementIn, writeIn } from './write-words.ts';

export const writeRule: Rule<Suite> = {
  kind: 'direct-write',
  level: 'finding',
  why: 'a state that no user can reach may never occur in the system, and its validation was bypassed',
  next: 'create the state through the system, prepare it in a job of the config, or allow it: suite: { writes: { allow: [<trial file>], because: … } }',
  find: ({ system, modules, commands, scripts, allowances }) => {
    const isOwn = suiteFolders(system);
    const folders = serviceFolders(system);
    return [
      ...modules.flatMap((module) => [...inImports(module), ...inFileCalls(module, folders)]),
      ...commands.flatMap((command) => inCommand(command, folders)),
      ...scripts.filter(({ file }) => isOwn(file)).flatMap(inScript),
    ].filter(({ file }) => !allowances.allow('writes', file));
  },
};

function inImports(module: SuiteModule): readonly Found[] {
  return module.scan.imports
    .filter(({ specifier }) => databaseClients.includes(specifier))
    .map(({ specifier, line }) => ({
      ...inModule(module, line),
      text: `it imports ${JSON.stringify(specifier)}, which accesses a store directly`,
    }));
}

const fileWrites =
  /^(?:.*\.)?(?:writeFile|writeFileSync|appendFile|appendFileSync|rm|rmSync|unlink|unlinkSync|rename|renameSync|copyFile|copyFileSync|cp|cpSync|mkdir|mkdirSync|truncate|truncateSync)$/;

function inFileCalls(module: SuiteModule, folders: readonly string[]): readonly Found[] {
  return module.scan.calls.flatMap(({ callee, args, line }) => {
    if (!fileWrites.test(callee)) return [];
    const target = args
      .filter((arg) => typeof arg === 'string')
      .find((arg) => isInside(path.resolve(path.dirname(module.file), arg), folders));
    if (target === undefined) return [];
    const text = `\`${callee}\` writes to ${JSON.stringify(target)}, where a service keeps its data`;
    return [{ ...inModule(module, line), text }];
  });
}

function inCommand(command: SuiteCommand, folders: readonly string[]): readonly Found[] {
  const { place, text, argv, folder } = command;
  const target = writtenInto(argv, folder).find((file) => isInside(file, folders));
  const write =
    writeIn(text) ??
    writeInFile(command) ??
    (target === undefined ? undefined : `it writes to ${target}, where a service keeps its data`);
  return write === undefined ? [] : [{ ...place, text: `the step bypasses the system: ${write}` }];
}

/** Statements may be in a file; one that cannot be read may contain any. */
function writeInFile({ text, folder }: SuiteCommand): string | undefined {
  const named = statementFile(text);
  if (named === undefined) return undefined;
  const file = path.resolve(folder, named);
  if (!existsSync(file)) return `it runs the statements of ${named}, which cannot be read`;
  const statement = statementIn(readFileSync(file, 'utf8'));
  return statement === undefined
    ? undefined
    : `it sends ${JSON.stringify(statement)}, from ${named}, to a database`;
}

const clientLines =
  /\b(?:import|from|require)\b.*\b(?:psycopg2?|asyncpg|sqlite3|pymysql|MySQLdb|sqlalchemy|redis|pymongo|pg|mysql2?|better-sqlite3|ioredis|mongodb)\b/;

/** A helper that connects to a store and changes something. */
function inScript({ place, text }: SuiteScript): readonly Found[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => statementIn(line) !== undefined || writeIn(line) !== undefined);
  if (at < 0 || (!clientLines.test(text) && writeIn(text) === undefined)) return [];
  const shown = (lines[at] ?? '').trim().slice(0, 100);
  return [{ ...place, line: at + 1, text: `the script bypasses the system: \`${shown}\`` }];
}

const folderVariable =
  /(?:DATA|STATE|STORE|STORAGE|DB|DATABASE|CACHE|SPOOL|UPLOADS?)(?:_?(?:DIR|FOLDER|PATH|ROOT|FILE))?$/;

/** Fixed paths in the variables of services; folders of an environment are named at run time, below `.shakedown`. */
function serviceFolders({ folder, services }: System): readonly string[] {
  const named = services.flatMap(({ env, cwd }) =>
    Object.entries(env)
      .filter(([name]) => folderVariable.test(name))
      .flatMap(([, value]) => {
        const text = plainPath(value, folder);
        return text === undefined ? [] : [path.resolve(cwd, text)];
      }),
  );
  const state = path.join(folder, '.shakedown');
  return [...new Set([state, ...named.filter((one) => one !== folder && !folder.startsWith(one))])];
}

/** A path without references, except to the folder of the config. */
function plainPath(value: string, folder: string): string | undefined {
  const parts = parseReferences(value).map((part) => {
    if (!isReference(part)) return part.text;
    return part.reference === 'config.dir' ? folder : undefined;
  });
  const text = parts.includes(undefined) ? '' : parts.join('');
  return /^(?:\.{0,2}\/|[\w.-]+\/)/.test(text) && !text.includes('://') ? text : undefined;
}

/** Targets of redirections and of programs that write, as absolute paths. */
function writtenInto(argv: readonly string[], folder: string): readonly string[] {
  const text = argv.join(' ');
  const redirected = [...text.matchAll(/>{1,2}\s*([^\s<>|;&'"]+)/g)].map(([, target = '']) => target);
  const programs = [
    ...text.matchAll(/(?:^|[\s/;&|(])(?:tee|cp|mv|rm|touch|mkdir|rmdir|ln|dd|sed\s+-i\S*)\s+([^;&|<>]+)/g),
  ];
  const named = programs.flatMap(([, words = '']) =>
    words.split(/\s+/).map((word) => word.replace(/^of=/, '')),
  );
  return [...redirected, ...named]
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('${'))
    .map((word) => path.resolve(folder, word));
}
