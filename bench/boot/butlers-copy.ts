/** A copy of the butlers that a bench may wear out, and its boot from nothing. */
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuiltPackage } from '../cli/built-package.ts';
import type { Scores } from '../side-by-side.ts';
import { bootByShakedown } from './shakedown-boot.ts';

export async function copyButlers(built: BuiltPackage, name: string): Promise<string> {
  const project = join(built.folder, 'examples', name);
  await cp(join(import.meta.dirname, '../../examples/butlers'), project, {
    recursive: true,
    filter: (file) => basename(file) !== '.shakedown',
  });
  return project;
}

export async function bootCold(built: BuiltPackage, project: string): Promise<Scores> {
  await rm(join(project, '.shakedown'), { recursive: true, force: true });
  return bootByShakedown(built, project);
}
