/** The text of a config file's template, from the config itself or from a file beside it. */
import { readFileSync } from 'node:fs';
import type { FileSpec } from '../../system/system.ts';

export function templateText(file: FileSpec): string {
  return 'text' in file.template ? file.template.text : readFileSync(file.template.file, 'utf8');
}
