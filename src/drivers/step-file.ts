/** A file that a step names: relative to the trial, and there before anything is sent. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../kernel/system-error.ts';

export interface StepFile {
  readonly path: string;
  readonly bytes: number;
}

export async function findStepFile(name: string, folder: string): Promise<StepFile> {
  const file = path.resolve(folder, name);
  const found = await stat(file).catch((error: unknown) => {
    throw new Error(`the file ${name} cannot be read: ${errorCode(error) ?? String(error)} at ${file}`);
  });
  if (!found.isFile()) throw new Error(`${name} is not a file: ${file}`);
  return { path: file, bytes: found.size };
}
