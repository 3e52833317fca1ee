/** `write_trial`: writes a trial that was read as a run would read it, into the project and nowhere else. */
import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { worldProblem } from '../../environment/processes/world-problem.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { createFileBelow, writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { isIn, realPath } from '../../kernel/folders/real-path.ts';
import { badUsage, type Problem } from '../../kernel/problem.ts';
import { globsFind } from '../../system/source/glob-files.ts';
import { normaliseText } from '../../system/source/read-text.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { defineTool } from '../answer/tool.ts';

export const writeTrial = defineTool({
  name: 'write_trial',
  title: 'Write a trial',
  description:
    'Writes a trial file. The content is validated as a run would read it, together with all other trials, before anything is written; errors name line and column. Running the trial executes what it says.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(300)
      .describe('Relative to the folder of the config, ends with `.trial.yaml`.'),
    content: z
      .string()
      .min(1)
      .max(256 * 1024)
      .describe('The whole file.'),
    overwrite: z.boolean().default(false).describe('Whether a trial file that exists may be replaced.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async ({ path: given, content, overwrite }, { host, project }) => {
    const file = placeOf(project, given);
    const exists = refuseTaken(file, given, overwrite);
    const system = await openSystem(host);
    const edit = {
      file: path.join(system.folder, path.relative(project, file)),
      text: normaliseText(content),
    };
    if (!globsFind(system.trials, system.folder, edit.file)) throw notFound(given, system.trials);
    const trials = await loadTrials(system, edit);
    const ids = trials.filter((trial) => trial.file === edit.file).map(({ record }) => record.id);
    try {
      if (exists) writeFileBelow(project, file, content, 0o644);
      else createFileBelow(project, file, content, 0o644);
    } catch (error) {
      throw notWritten(file, error);
    }
    return {
      says: [`${exists ? 'Replaced' : 'Wrote'} ${given}: ${ids.join(', ')}. It was not performed.`],
      data: { path: given, trials: ids, replaced: exists },
    };
  },
});

/** Folders on the way may be missing; none may be a link. */
function placeOf(project: string, given: string): string {
  const file = path.join(project, given);
  const folder = path.dirname(file);
  const isPlain = !path.isAbsolute(given) && isIn(project, file) && !given.includes('\0');
  if (isPlain && file.endsWith('.trial.yaml') && realPath(folder) === folder) return file;
  throw badUsage(
    `path ${JSON.stringify(given)}`,
    isPlain && file.endsWith('.trial.yaml')
      ? `a link is on the way: it leads to ${realPath(folder)}`
      : 'it is not the path of a trial in this project',
    'a path relative to the folder of the config, inside of it and without links, that ends with .trial.yaml',
    'write for example trials/shop/pay.trial.yaml',
  );
}

/** Says whether it exists and may be replaced. */
function refuseTaken(file: string, given: string, overwrite: boolean): boolean {
  const stats = statsOf(file);
  if (!stats || (overwrite && stats.isFile())) return stats !== undefined;
  throw badUsage(
    `path ${JSON.stringify(given)}`,
    stats.isFile() ? 'the file exists already' : 'what is there is not a file',
    'a new file, or with `overwrite: true` a trial file that exists',
    stats.isFile() ? 'choose another name, or say `overwrite: true`' : 'choose another name',
  );
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw notWritten(file, error);
  }
}

function notFound(given: string, globs: readonly string[]): Problem {
  return badUsage(
    `path ${JSON.stringify(given)}`,
    'no glob of `trials` in the config finds it, so that it would never be performed',
    cutText(globs.join(', '), 400),
    'write it where one of them finds it',
  );
}

/** A name that is too long, or a file where a folder should be. */
function notWritten(file: string, error: unknown): unknown {
  const known = worldProblem(error, file);
  if (known !== error) return known;
  const what = `it cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  return badUsage(file, what, 'a path below folders, with names that a disk takes', 'choose another path');
}
