/** A config that starts the scripts of a `package.json`. */
import path from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import type { DeriveRequest } from './derive-config.ts';
import { type DerivedConfig, type DerivedProgram, printSystem } from './derived-config.ts';
import { derivedName } from './derived-name.ts';
import { projectVariables } from './project-variables.ts';
import { mapIn, readProjectFile } from './read-project-file.ts';
import { findInSources, type SourceFile, sourceFiles } from './source-files.ts';

export async function derivePackage({ file, source }: DeriveRequest): Promise<DerivedConfig> {
  const read = await readProjectFile(file);
  const folder = path.dirname(file);
  const scripts = Object.entries(mapIn(read, 'scripts')).flatMap(([name, command]) =>
    typeof command === 'string' ? [{ name, command }] : [],
  );
  const started = startedScripts(scripts);
  if (started.length === 0) throw nothingStarts(file, scripts);
  const sources = await sourceFiles(folder, '**/*.{js,mjs,cjs,ts,mts,cts}');
  const dependencies = Object.keys({ ...mapIn(read, 'dependencies'), ...mapIn(read, 'devDependencies') });
  const { resources, env, comments } = await projectVariables(folder);
  const name = derivedName(typeof read.name === 'string' ? read.name : path.basename(folder));
  const isOnly = started.length === 1;
  const programs = started.map((script) =>
    programOf(script, { name: isOnly ? 'app' : script.name, env, sources, dependencies, isOnly }),
  );
  const system = {
    source,
    name,
    comments: [...comments, ...openQuestions(scripts, read)],
    resources,
    programs,
  };
  return { source, folder, notes: [], yaml: (learned) => printSystem(system, learned) };
}

interface Script {
  readonly name: string;
  readonly command: string;
}

/** `start`, or all of `start:api`, `start:worker` …, or what is run in development; a worker beside it. */
function startedScripts(scripts: readonly Script[]): readonly Script[] {
  const named = (pattern: RegExp): readonly Script[] => scripts.filter(({ name }) => pattern.test(name));
  const main = [/^start$/, /^start:(?!dev|prod|debug|watch|test)[\w-]+$/, /^serve$/, /^dev$/]
    .map(named)
    .find((found) => found.length > 0);
  return [...(main ?? []), ...named(/^(?:workers?|queue|scheduler)$/)];
}

interface Around {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sources: readonly SourceFile[];
  readonly dependencies: readonly string[];
  /** What the sources say is about this script. */
  readonly isOnly: boolean;
}

function programOf(script: Script, { name, env, sources, dependencies, isOnly }: Around): DerivedProgram {
  const isWorker = /worker|queue|scheduler/.test(script.name);
  const own = isOnly ? sources : sources.filter(({ name: file }) => script.command.includes(file));
  const { words, listen, comment } = isWorker ? noPort : portOf(script, own, dependencies);
  return {
    name: derivedName(name.replace(/^start:/, '')),
    keys: {
      run: ['npm', 'run', '--silent', script.name, ...(words.length > 0 ? ['--', ...words] : [])],
      listen,
      env: Object.keys(env).length > 0 ? env : undefined,
    },
    comments: comment === undefined ? [] : [comment],
  };
}

interface Port {
  readonly words: readonly string[];
  readonly listen?: Readonly<Record<string, unknown>>;
  readonly comment?: string;
}

const noPort: Port = { words: [] };
const byWords = /\b(?:vite|astro|ng serve|vue-cli-service)\b/;
const byVariable = /\b(?:next|nuxt|react-scripts|remix-serve|nest|strapi)\b/;
const servers = [
  'express',
  'fastify',
  'koa',
  '@hapi/hapi',
  'hono',
  '@hono/node-server',
  '@nestjs/core',
  'next',
];

/** What the command itself takes; the variable in the code; a number in the code, of which there is only one on a machine. */
function portOf({ command }: Script, sources: readonly SourceFile[], dependencies: readonly string[]): Port {
  if (byWords.test(command)) return { words: ['--port', '${self.port}'], listen: { auto: true } };
  if (byVariable.test(command)) return { words: [], listen: { env: 'PORT' } };
  const variable = findInSources(sources, /process\.env(?:\.|\[['"])(\w*PORT)\b/);
  if (variable) return { words: [], listen: { env: variable.found } };
  const fixed = findInSources(sources, /\.listen\(\s*(?:\{\s*port:\s*)?(\d{2,5})\b/);
  if (fixed)
    return {
      words: [],
      listen: { port: Number(fixed.found) },
      comment: `? ${fixed.file.name} listens on ${fixed.found} itself, so that only one can be up. Better: process.env.PORT, and listen: { env: PORT }`,
    };
  const isServer = servers.some((server) => dependencies.includes(server));
  return isServer
    ? { words: [], listen: { env: 'PORT' } }
    : { words: [], comment: '? If it listens: listen: { env: PORT }' };
}

function openQuestions(
  scripts: readonly Script[],
  read: Readonly<Record<string, unknown>>,
): readonly string[] {
  const jobs = scripts.filter(({ name }) => /migrat|seed/.test(name)).map(({ name }) => name);
  return [
    ...(jobs.length > 0 ? [`? Of the scripts, these may be jobs: ${jobs.join(', ')}`] : []),
    ...(read.workspaces === undefined ? [] : ['? It has workspaces: the scripts of their own are not read.']),
  ];
}

function nothingStarts(file: string, scripts: readonly Script[]): Problem {
  const names = scripts.map(({ name }) => name).join(', ');
  return new Problem({
    code: 'config.missing-key',
    where: file,
    what: names === '' ? 'it has no scripts' : `none of its scripts starts a service: ${names}`,
    allowed: 'a script `start`, `start:NAME`, `serve` or `dev`',
    next: 'add the command that starts it: "scripts": { "start": "node server.js" }',
  });
}
