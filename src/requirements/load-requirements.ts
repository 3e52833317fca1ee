/** Finds and reads every requirement of a system; whatever is wrong with any of them is told at once. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Problem, Problems, problemsIn } from '../kernel/problem.ts';
import { sortProblems } from '../system/check/sort-problems.ts';
import { globFiles } from '../system/source/glob-files.ts';
import { readText } from '../system/source/read-text.ts';
import type { System } from '../system/system.ts';
import { catalogueProblems } from './catalogue-problems.ts';
import { readMarkdownRequirements } from './markdown/read-markdown-requirements.ts';
import { readYamlRequirements } from './read-yaml-requirements.ts';
import { type Catalogue, type PlacedRequirement, requirementLimits } from './requirement.ts';

/** Beside the config, read when it is there and the config names none. */
export const usualFile = 'requirements.yaml';

/** Undefined where a system declares no requirements. */
export async function loadRequirements(system: System): Promise<Catalogue | undefined> {
  const files = await findRequirementFiles(system);
  if (files.length === 0) return undefined;
  const placed: PlacedRequirement[] = [];
  const notes: string[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    try {
      const read = readRequirements(file, await readRequirementText(file), system.folder);
      placed.push(...read.placed);
      notes.push(...read.notes);
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  // Without all of the files nobody knows which ids there are.
  const whole = problems.length > 0 ? problems : catalogueProblems(placed);
  if (whole.length > 0) throw new Problems(sortProblems(whole));
  return {
    files: files.map((file) => path.relative(system.folder, file)),
    requirements: placed.map(({ requirement }) => requirement),
    notes,
  };
}

/** By the extension of the file: tables of Markdown, or YAML. */
export function readRequirements(
  file: string,
  text: string,
  folder: string,
): { readonly placed: readonly PlacedRequirement[]; readonly notes: readonly string[] } {
  if (isMarkdown(file)) return readMarkdownRequirements(file, text, folder);
  return { placed: readYamlRequirements(file, text, folder), notes: [] };
}

export function readRequirementText(file: string): Promise<string> {
  return readText(file, {
    noun: 'file of requirements',
    absent: 'requirement.unreadable',
    unreadable: 'requirement.unreadable',
  });
}

/** Absolute, in the order in which the config names them. */
async function findRequirementFiles(system: System): Promise<readonly string[]> {
  const usual = path.join(system.folder, usualFile);
  if (system.requirements === undefined) return existsSync(usual) ? [usual] : [];
  const found = new Set<string>();
  for (const pattern of system.requirements) {
    const matches = await matching(pattern, system.folder);
    if (matches.length === 0) throw findsNothing(pattern, system);
    for (const match of matches) found.add(match);
    if (found.size > requirementLimits.files) throw tooMany(pattern, system);
  }
  const other = [...found].find((file) => !/\.(?:ya?ml|md|markdown)$/i.test(file));
  if (other !== undefined) throw unknownKind(other, system);
  return [...found];
}

/** A name without a star is meant as it stands, so that a missing file is told by its name. */
async function matching(pattern: string, folder: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pattern)) return [path.resolve(folder, pattern)];
  const names: string[] = [];
  for await (const file of globFiles([pattern], folder)) {
    if (/\.(?:ya?ml|md|markdown)$/i.test(file)) names.push(file);
    if (names.length > requirementLimits.files) break;
  }
  return names.sort();
}

function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown)$/i.test(file);
}

function findsNothing(pattern: string, { file }: System): Problem {
  return new Problem({
    code: 'requirement.unreadable',
    where: file,
    what: `\`requirements\` has ${JSON.stringify(pattern)}, which finds no file`,
    allowed: 'paths or globs of files with requirements (.yaml, .md), relative to the config',
    next: 'correct it, or remove the key: without it `requirements.yaml` beside the config is read when it is there',
  });
}

function unknownKind(found: string, { file, folder }: System): Problem {
  return new Problem({
    code: 'requirement.unreadable',
    where: file,
    what: `\`requirements\` has ${path.relative(folder, found)}, and nothing can be read from such a file`,
    allowed: 'files that end with .yaml, .yml or .md',
    next: 'name another file, or turn it into one of these',
  });
}

function tooMany(pattern: string, { file }: System): Problem {
  return new Problem({
    code: 'requirement.unreadable',
    where: file,
    what: `\`requirements\` finds more than ${requirementLimits.files} files, the last by ${JSON.stringify(pattern)}`,
    allowed: `at most ${requirementLimits.files} files`,
    next: 'make the glob narrower',
  });
}
