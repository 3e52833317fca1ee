/** A small system that leaves traces everywhere: a database that a job fills, and a service that keeps notes in it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { makeProject, type Project } from './project.ts';
import { projectFolder } from './project-files.ts';

const pgModule = pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href;

export interface NotesOptions {
  readonly share?: 'schemaPerService' | 'databasePerService';
  /** Of a container for the database. */
  readonly image?: string;
  /** Added to the service. */
  readonly service?: string;
  /** More jobs, as lines of YAML. */
  readonly job?: string;
  /** More variables of the job, as YAML. */
  readonly jobEnv?: string;
  readonly inputs?: string;
  /** More services, as lines of YAML. */
  readonly more?: string;
}

export function notesProject(options: NotesOptions = {}): Project {
  const { share, image, service = '', job = '', more = '', jobEnv = '' } = options;
  const { inputs = '[seed.txt, services/makes-notes.mjs]' } = options;
  const jobUrl = share === 'databasePerService' ? '${db.urls}' : '${db.url}';
  return withDatabaseMade(
    makeProject({
      'seed.txt': 'from the job\n',
      'shakedown.yaml': `name: notes
resources:
  db: { kind: postgres${share ? `, ${share}: true` : ''}${image ? `, image: ${image}` : ''} }
jobs:
  fill:
    run: [node, services/makes-notes.mjs]
    env: { DATABASE_URL: "${jobUrl}", PG_MODULE: "${pgModule}", RUNS_FILE: "\${config.dir}/runs.txt"${jobEnv && `, ${jobEnv}`} }
    inputs: ${inputs}
${job}
services:
  notes:
    run: [node, services/keeps-notes.mjs]
    listen: { env: PORT }
    env: { DATABASE_URL: "\${db.url}", PG_MODULE: "${pgModule}" }
    ready: { http: / }
    after: [fill]
${service}
${more}
`,
    }),
  );
}

/** An empty database is the same for all of them: the first boot of a test file creates it, and the others reuse it. */
function withDatabaseMade(project: Project): Project {
  const cache = path.join(project.folder, '.shakedown/cache');
  if (existsSync(made)) {
    mkdirSync(cache, { recursive: true });
    execFileSync('cp', ['-a', `${made}/.`, cache]);
  } else onTestFinished(() => keepDatabase(cache));
  return project;
}

const made = path.join(realpathSync(tmpdir()), `test-database-${process.pid}`);
afterAll(() => rmSync(made, { recursive: true, force: true }));

function keepDatabase(cache: string): void {
  const names = existsSync(cache)
    ? readdirSync(cache).filter((name) => /^postgres-[\d.]+-[\w-]+$/.test(name))
    : [];
  if (names.length === 0 || existsSync(made)) return;
  mkdirSync(made);
  execFileSync('cp', ['-a', ...names.map((name) => path.join(cache, name)), made]);
}

export interface Notes {
  readonly rows: ReadonlyArray<{ readonly id: number; readonly text: string }>;
  /** In its file. */
  readonly kept: string;
  /** In memory. */
  readonly remembered: readonly string[];
  /** A setting of the database. */
  readonly patience: string;
}

export async function notesAt(url: string): Promise<Notes> {
  return (await call(url, '/notes')) as Notes;
}

export async function addNote(url: string, text: string): Promise<{ id: number }> {
  return (await call(url, `/note?text=${encodeURIComponent(text)}`)) as { id: number };
}

export async function call(url: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
