/** Files that a step sends: one that nothing can create must exist before anything is booted. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../../kernel/problem.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { System } from '../../system/system.ts';
import type { BuiltStep } from './build-step.ts';
import { problemAt } from './placed.ts';

/** Skipped after a program, which may create the file, and for references, whose values are not known yet. */
export function fileProblems(
  { placed }: NonNullable<BuiltStep['step']>,
  before: readonly (string | undefined)[],
  system: Pick<System, 'jobs' | 'services'>,
): Problem[] {
  if (before.some((kind) => kind === undefined || stepKind(kind).startsProgram)) return [];
  const { body, multipart, sendRaw } = placed.value;
  return [...filesIn(body, ['body']), ...filesIn(multipart, ['multipart']), ...filesIn(sendRaw, ['sendRaw'])]
    .filter(([, file]) => !file.includes('${') && !mayBeFile(path.resolve(placed.folder, file), system))
    .map(([at, file]) =>
      problemAt(placed, 'value', at, {
        code: 'trial.unreadable',
        what: `there is no file \`${file}\` in ${placed.folder}`,
        allowed: 'a file, relative to the folder of the trial',
        next: 'add the file, or correct the path',
      }),
    );
}

function filesIn(value: unknown, at: readonly PathKey[]): readonly (readonly [readonly PathKey[], string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...at, Array.isArray(value) ? Number(key) : key];
    return key === 'file' && typeof inner === 'string' ? [[place, inner] as const] : filesIn(inner, place);
  });
}

/** A job may create it anywhere, and a service below the folder in which it runs. */
function mayBeFile(file: string, { jobs, services }: Pick<System, 'jobs' | 'services'>): boolean {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found) return !found.isDirectory();
  } catch {
    return true; // the step reports why it cannot be read
  }
  return jobs.length > 0 || services.some(({ cwd }) => !path.relative(cwd, file).startsWith('..'));
}
