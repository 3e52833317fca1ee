/** Requirements, and the documents that they were taken from, as they were at earlier commits. */
import path from 'node:path';
import { Problem, Problems } from '../../kernel/problem.ts';
import { readRequirements } from '../load-requirements.ts';
import type { Requirement } from '../requirement.ts';
import type { Git } from './git.ts';

/** Files of the past, read once. */
export interface Past {
  textAt(commit: string, file: string): string | undefined;
  requirementAt(commit: string, requirement: Requirement): Requirement | 'unreadable' | undefined;
}

export async function readPast(
  git: Git,
  folder: string,
  asked: readonly Requirement[],
  commits: readonly string[],
): Promise<Past> {
  const declared = [...new Set(asked.map(({ file }) => path.resolve(folder, file)))];
  const linked = [
    ...new Set(asked.flatMap(({ source }) => (source ? [path.resolve(folder, source.file)] : []))),
  ];
  const specOf = (commit: string, file: string): string => `${commit}:${git.known(file)}`;
  const texts = new Map(
    await git.read(commits.flatMap((commit) => [...declared, ...linked].map((file) => specOf(commit, file)))),
  );
  for (const commit of commits)
    for (const file of declared)
      if (!texts.has(specOf(commit, file)))
        await readUnderOldName(git, commit, file, texts, specOf(commit, file));
  const parsed = new Map<string, readonly Requirement[] | 'unreadable'>();
  return {
    textAt: (commit, file) => texts.get(specOf(commit, file)),
    requirementAt: (commit, { id, file }) => {
      const absolute = path.resolve(folder, file);
      const spec = specOf(commit, absolute);
      const text = texts.get(spec);
      if (text === undefined) return undefined;
      const known = parsed.get(spec) ?? parse(absolute, text, folder);
      parsed.set(spec, known);
      return known === 'unreadable' ? known : known.find((one) => one.id === id);
    },
  };
}

/** A file that was renamed since is the same file. */
async function readUnderOldName(
  git: Git,
  commit: string,
  file: string,
  texts: Map<string, string>,
  spec: string,
): Promise<void> {
  const changes = await git.ask('diff', '--name-status', '-z', '-M', '--diff-filter=R', commit, '--');
  const words = changes.split('\0');
  const at = words.indexOf(git.known(file));
  const old = at >= 2 && /^R\d*$/.test(words[at - 2] ?? '') ? words[at - 1] : undefined;
  if (old === undefined) return;
  const text = (await git.read([`${commit}:${old}`])).get(`${commit}:${old}`);
  if (text !== undefined) texts.set(spec, text);
}

function parse(file: string, text: string, folder: string): readonly Requirement[] | 'unreadable' {
  try {
    return readRequirements(file, text, folder).placed.map(({ requirement }) => requirement);
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return 'unreadable';
    throw error;
  }
}
