/** Makes a data folder for an embedded server from nothing: `initdb`, and an empty main database. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  handOver,
  makeNewFolder,
  removeFile,
  writeFileBelow,
} from '../../../kernel/folders/entries-below.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import { runStep } from '../../run-step.ts';
import { removeData } from './copy-folder.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { endRemains } from './end-remains.ts';
import { inFirstSession } from './first-session.ts';
import { runServer } from './run-server.ts';

export const superuser = 'shakedown';
export const mainDatabase = 'main';
/** Made by `initdb`; nothing of the system's is in it. */
export const maintenanceDatabase = 'postgres';

export interface Template {
  readonly dataFolder: string;
  /** Opens a server on this data only until its first session, which sets another. */
  readonly password: string;
}

/** Everything that decides what a template holds; another recipe is another template. */
export function templateRecipe(version: string): readonly string[] {
  const major = Number.parseInt(version, 10);
  const locale =
    major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C'];
  return [
    `--username=${superuser}`,
    '--auth-host=scram-sha-256',
    '--auth-local=reject',
    '--encoding=UTF8',
    ...locale,
    '--no-sync',
    // Its shared memory is removed with the data folder; by default, a killed initdb leaves files in /dev/shm.
    ...(major >= 16 ? ['--set=dynamic_shared_memory_type=mmap'] : []),
    '--no-instructions',
  ];
}

export async function makeTemplate(form: EmbeddedForm, folder: string, password: string): Promise<Template> {
  await removeData(form, folder);
  const below = path.dirname(folder);
  makeNewFolder(folder, 0o700);
  const passwordFile = path.join(folder, 'password');
  writeFileBelow(below, passwordFile, password, 0o600);
  const owner = form.launcher.as;
  // The folder last: from then on its owner decides what is in it.
  if (owner) for (const made of [passwordFile, folder]) handOver(below, made, owner);

  const dataFolder = path.join(folder, 'data');
  try {
    await initialise(form, dataFolder, passwordFile);
    await createMain(form, dataFolder, password);
  } finally {
    await endRemains(form, dataFolder);
  }
  await dropRegrowingForks(path.dirname(path.dirname(form.context.folder)), dataFolder);
  return { dataFolder, password };
}

async function initialise(form: EmbeddedForm, dataFolder: string, passwordFile: string): Promise<void> {
  const { context, launcher, binaries, env, where } = form;
  const recipe = templateRecipe(binaries.version);
  const { code, said } = await runStep(context, {
    argv: [
      ...launcher.prefix,
      binaries.initdb,
      `--pgdata=${dataFolder}`,
      `--pwfile=${passwordFile}`,
      // It would remove the file that names the shared memory of a server of its own that crashed.
      '--no-clean',
      ...recipe,
    ],
    env,
    cwd: context.folder,
    ...(launcher.as ? { as: launcher.as } : {}),
  });
  if (code === 0) return;
  throw new Problem({
    code: said.some((line) => /No space left|free disk space/.test(line))
      ? 'world.disk-full'
      : 'boot.resource-failed',
    where,
    what: `initdb ended with exit code ${code}, run ${launcher.how}`,
    allowed: 'a machine that can run the binaries of the package, with about 100 MB of free space',
    next: `the lines below are its output; try it by hand: ${binaries.initdb} --version`,
    evidence: said,
  });
}

/** A server runs once here, so that no boot pays for `CREATE DATABASE`. */
async function createMain(form: EmbeddedForm, dataFolder: string, password: string): Promise<void> {
  const { process, port } = await runServer(form, { dataFolder, settings: {}, step: true });
  try {
    const login = { user: superuser, password, database: maintenanceDatabase };
    await inFirstSession(form, port, login, async (session) => {
      await session.query(`CREATE DATABASE ${mainDatabase}`);
      await session.end();
    });
  } finally {
    // Not immediate: after a clean shutdown no copy needs recovery.
    await process.stop('SIGINT', limits.stopWithinMs);
  }
}

/** Free space and visibility maps grow again by themselves; without them there is a quarter less to copy for each boot. */
async function dropRegrowingForks(below: string, dataFolder: string): Promise<void> {
  const entries = await readdir(path.join(dataFolder, 'base'), { recursive: true, withFileTypes: true });
  const forks = entries.filter((entry) => entry.isFile() && /^\d+_(fsm|vm)$/.test(entry.name));
  for (const entry of forks) removeFile(path.join(entry.parentPath, entry.name), below);
}
