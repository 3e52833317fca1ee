/** The version in package.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from './own-files.ts';

export function toolVersion(): string {
  const text = readFileSync(path.join(packageFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
