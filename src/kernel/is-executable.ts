/** Whether a path is a program that may be started. */
import { accessSync, constants, statSync } from 'node:fs';
import { orElse } from './or-else.ts';

export function isExecutable(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}
