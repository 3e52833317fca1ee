/** Finds and reads every requirement of a system; the problems of all of them are reported together. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ifProblem, Problem, Problems, problemsIn } from '../../kernel/problem.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { globFiles } from '../../system/source/glob-files.ts';
import { readText } from '../../system/source/read-text.ts';
import type { System } from '../../system/system.ts';
import { catalogueProblems } from '../catalogue-problems.ts';
import { readYamlRequirements } from '../read-yaml-requirements.ts';
import {
  type Catalogue,
  type PlacedRequirement,
  type Requirement,
  requirementLimits,
} from '../requirement.ts';

/** Beside the config, read if it exists and the config names none. */
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
      const read = await readRequirements(file, await readRequirementText(file), system.folder);
      placed.push(...read.placed);
      notes.push(...read.notes);
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  // Without all of the files the set of ids is unknown.
  const whole = problems.length > 0 ? problems : catalogueProblems(placed);
  if (whole.length > 0) throw new Problems(sortProblems(whole));
  return {
    files: files.map((file) => path.relative(system.folder, file)),
    requirements: placed.map(({ requirement }) => requirement),
    notes,
  };
}

/** By the extension of the file: tables of Markdown, or YAML. */
async function readRequirements(file: string, text: string, folder: string) {
  if (!isMarkdown(file)) return { placed: readYamlRequirements(file, text, folder), notes: [] };
  // Most systems have no Markdown, and its parser is large.
  const { readMarkdownRequirements } = await import('../markdown/read-markdown-requirements.ts');
  return readMarkdownRequirements(file, text, folder);
}

/** Undefined where they cannot be read. */
export async function requirementsIn(
  file: string,
  text: string,
  folder: string,
): Promise<readonly Requirement[] | undefined> {
  const read = await readRequirements(file, text, folder).catch(ifProblem);
  return read?.placed.map(({ requirement }) => requirement);
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
  const { folder, requirements: patterns } = system;
  const usual = path.join(folder, usualFile);
  if (patterns === undefined) return existsSync(usual) ? [usual] : [];
  const found = new Set<string>();
  for (const pattern of patterns) {
    const matches = await matching(pattern, folder);
    for (const match of matches) found.add(match);
    if (matches.length === 0)
      throw unreadable(
        system,
        `has ${JSON.stringify(pattern)}, which finds no file`,
        'paths or globs of files with requirements (.yaml, .md), relative to the config',
        'correct it, or remove the key: without it `requirements.yaml` beside the config is read when it is there',
      );
    if (found.size > mostFiles)
      throw unreadable(
        system,
        `finds more than ${mostFiles} files, the last by ${JSON.stringify(pattern)}`,
        `at most ${mostFiles} files`,
        'make the glob narrower',
      );
  }
  const other = [...found].find((file) => !knownNames.test(file));
  if (other === undefined) return [...found];
  throw unreadable(
    system,
    `has ${path.relative(folder, other)}, which has an unsupported file type`,
    'files that end with .yaml, .yml or .md',
    'name another file, or turn it into one of these',
  );
}

const { files: mostFiles } = requirementLimits;
const knownNames = /\.(?:ya?ml|md|markdown)$/i;

/** A name without a star is literal, so that a missing file is reported by its name. */
async function matching(pattern: string, folder: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pattern)) return [path.resolve(folder, pattern)];
  const names: string[] = [];
  for await (const file of globFiles([pattern], folder)) {
    if (knownNames.test(file)) names.push(file);
    if (names.length > mostFiles) break;
  }
  return names.sort();
}

function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown)$/i.test(file);
}

function unreadable({ file }: System, what: string, allowed: string, next: string): Problem {
  const found = `\`requirements\` ${what}`;
  return new Problem({ code: 'requirement.unreadable', where: file, what: found, allowed, next });
}
