/** Finds the manifests of a roster, in the order of their paths. */
import { stat } from 'node:fs/promises';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { globFiles } from '../source/glob-files.ts';

export async function findManifests(
  each: string,
  folder: string,
  where: () => SourcePosition,
): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of globFiles([each], folder)) {
    found.add(path);
    if (found.size > limits.rosterMembers) throw tooMany(each, where());
  }
  const files: string[] = [];
  for (const path of [...found].sort()) {
    if (await isFile(path)) files.push(path);
  }
  if (files.length === 0) throw nothingFound(each, folder, where());
  return files;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

function tooMany(each: string, where: SourcePosition): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the glob ${JSON.stringify(each)} finds more than ${limits.rosterMembers} files`,
    allowed: `at most ${limits.rosterMembers} services in one roster`,
    next: "make the glob narrower, such as 'roster/*/butler.toml'",
  });
}

function nothingFound(each: string, folder: string, where: SourcePosition): Problem {
  return new Problem({
    code: 'roster.empty',
    where,
    what: `the glob ${JSON.stringify(each)} finds no file in ${folder}`,
    allowed: 'at least one manifest',
    next: `look for them: ls ${each}`,
  });
}
