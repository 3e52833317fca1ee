/** A copy of the digest whose image is built beforehand, as Docker Compose keeps it, with a port that is free. */
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type ComposeCall, composeCaller } from '../boot/compose-boot.ts';
import { freePorts } from '../boot/free-ports.ts';
import type { BuiltPackage } from '../cli/built-package.ts';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../../examples');

export interface Digest {
  readonly project: string;
  readonly call: ComposeCall;
  readonly healthUrl: string;
  /** Removes what runs kept for the next; gives the project. */
  forget(): Promise<string>;
  remove(): Promise<void>;
}

/** Undefined where there is no docker, or no compose. */
export async function openDigest(built: BuiltPackage): Promise<Digest | undefined> {
  const project = join(built.folder, 'examples/compose');
  const file = join(project, 'docker-compose.yml');
  const image = `shakedown-bench-digest-${process.pid}`;
  const call = await composeCaller(image, file);
  if (call === undefined) return undefined;
  for (const name of ['compose', 'desk'])
    await cp(join(examples, name), join(built.folder, 'examples', name), {
      recursive: true,
      filter: (one) => basename(one) !== '.shakedown',
    });
  const images = join(project, 'images.sh');
  const { stdout } = await run(images, { timeout: 300_000 });
  await run('docker', ['build', '--tag', image, project], { timeout: 300_000 });
  const port = await freePorts(1);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('build: .', `image: ${image}`).replace('8080:8000', `${port}:8000`));
  return {
    project,
    call,
    healthUrl: `http://127.0.0.1:${port}/health`,
    forget: async () => {
      await rm(join(project, '.shakedown'), { recursive: true, force: true });
      return project;
    },
    remove: async () => {
      await run('docker', ['image', 'rm', '--force', image], { timeout: 60_000 });
      if (stdout.includes('is a stand-in now')) await run(images, ['remove'], { timeout: 60_000 });
    },
  };
}
