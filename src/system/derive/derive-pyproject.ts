/** A config that starts what a `pyproject.toml` describes: web frameworks and workers by their objects in the code, else its scripts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JsonMap } from '../../kernel/is-map.ts';
import { Problem } from '../../kernel/problem.ts';
import type { DeriveRequest } from './derive-config.ts';
import { type DerivedConfig, type DerivedProgram, printSystem } from './derived-config.ts';
import { derivedName } from './derived-name.ts';
import { projectVariables } from './project-variables.ts';
import { mapIn, readProjectFile } from './read-project-file.ts';
import { findInSources, type SourceFile, sourceFiles } from './source-files.ts';

export async function derivePyproject({ file, source }: DeriveRequest): Promise<DerivedConfig> {
  const read = await readProjectFile(file);
  const folder = path.dirname(file);
  const sources = await sourceFiles(folder, '**/*.py');
  const venv = ['.venv', 'venv'].find((name) => existsSync(path.join(folder, name, 'bin/python')));
  const python = venv === undefined ? 'python3' : `${venv}/bin/python`;
  const { resources, env, comments } = await projectVariables(folder);
  const isSrc = existsSync(path.join(folder, 'src')) && sources.some(({ name }) => name.startsWith('src/'));
  const around = { python, sources, env: { ...env, ...(isSrc ? { PYTHONPATH: 'src' } : {}) } };
  const found = fromCode(around);
  const scripts = fromScripts(read, around);
  const isServed = found.some(({ keys }) => keys.listen);
  const programs = isServed ? found : [...found, ...scripts];
  if (programs.length === 0) throw nothingStarts(file);
  const named = mapIn(read, 'project').name ?? mapIn(read, 'tool', 'poetry').name;
  const system = {
    source,
    name: derivedName(typeof named === 'string' ? named : path.basename(folder)),
    comments: [
      ...comments,
      ...(isServed && scripts.length > 0
        ? [
            `? Not started: ${scripts.map(({ name }) => name).join(', ')} of [project.scripts]. A worker belongs here.`,
          ]
        : []),
      ...(venv === undefined ? ['? There is no .venv here, so it runs with the python3 on PATH.'] : []),
    ],
    resources,
    programs,
  };
  return { source, folder, notes: [], yaml: (learned) => printSystem(system, learned) };
}

interface Around {
  readonly python: string;
  readonly sources: readonly SourceFile[];
  readonly env: Readonly<Record<string, string>>;
}

const port = '${self.port}';
const objects = [
  {
    name: 'api',
    pattern: /^(\w+)(?::\s*\w+)?\s*=\s*(?:fastapi\.)?(?:FastAPI|Starlette|Litestar|Quart)\(/m,
    module: 'uvicorn',
    args: (object: string) => [object, '--host', '127.0.0.1', '--port', port],
  },
  {
    name: 'web',
    pattern: /^(\w+)\s*=\s*(?:flask\.)?Flask\(/m,
    module: 'flask',
    args: (object: string) => ['--app', object, 'run', '--host', '127.0.0.1', '--port', port],
  },
  {
    name: 'worker',
    pattern: /^(\w+)\s*=\s*(?:celery\.)?Celery\(/m,
    module: 'celery',
    args: (object: string) => ['--app', object.replace(':', '.'), 'worker', '--loglevel', 'INFO'],
  },
];

function fromCode({ sources, env }: Around): readonly DerivedProgram[] {
  const programs = objects.flatMap(({ name, pattern, module, args: argsFor }): DerivedProgram[] => {
    const object = findInSources(sources, pattern);
    if (object === undefined) return [];
    const args = argsFor(`${moduleOf(object.file.name)}:${object.found}`);
    const listen = args.includes(port) ? { auto: true } : undefined;
    return [{ name, keys: { run: { module, args }, listen, env } }];
  });
  if (!sources.some(({ name }) => name === 'manage.py')) return programs;
  const script = 'manage.py';
  const run = { script, args: ['runserver', '--noreload', `127.0.0.1:${port}`] };
  return [
    { name: 'migrate', isJob: true, keys: { run: { script, args: ['migrate', '--no-input'] }, env } },
    { name: 'web', keys: { run, listen: { auto: true }, env, after: ['migrate'] } },
    ...programs.filter(({ name }) => name === 'worker'),
  ];
}

function moduleOf(file: string): string {
  return file
    .replace(/^src\//, '')
    .replace(/(?:\/__init__)?\.py$/, '')
    .replaceAll('/', '.');
}

/** By what they call: an installed script need not be there. */
function fromScripts(read: JsonMap, { python, sources, env }: Around): readonly DerivedProgram[] {
  const scripts = { ...mapIn(read, 'tool', 'poetry', 'scripts'), ...mapIn(read, 'project', 'scripts') };
  return Object.entries(scripts).flatMap(([name, target]) => {
    const [, module, called] = /^([\w.]+):(\w+)$/.exec(String(target)) ?? [];
    if (module === undefined || called === undefined) return [];
    const code = `import sys; from ${module} import ${called}; sys.exit(${called}())`;
    const own = sources.filter((source) => moduleOf(source.name) === module);
    const variable = findInSources(own, /(?:environ\[|environ\.get\(|getenv\()\s*['"](\w*PORT)['"]/);
    const listen = variable ? { env: variable.found } : undefined;
    return [
      {
        name: derivedName(name),
        keys: { run: [python, '-c', code], listen, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } },
        comments: variable ? [] : ['? If it listens: listen: { env: PORT }'],
      },
    ];
  });
}

function nothingStarts(file: string): Problem {
  return new Problem({
    code: 'config.missing-key',
    where: file,
    what: 'nothing in it, or in the code beside it, says what is started',
    allowed:
      '`[project.scripts]`, or an application of FastAPI, Starlette, Flask, Django or Celery at the top of a module',
    next: 'add what starts it: [project.scripts] app = "package.module:main"',
  });
}
