/** `coverage --import`: extracts requirements from the tables of a Markdown file into a YAML file. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { writeShared } from '../../journal/write-redacted.ts';
import { defined } from '../../kernel/defined.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { badUsage, Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { readRequirementText } from '../../requirements/load/load-requirements.ts';
import { comparePriorities } from '../../requirements/priority.ts';
import type { Requirement } from '../../requirements/requirement.ts';
import { requirementsText } from '../../requirements/write-requirements.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { type Call, optionText } from '../call/verb.ts';

export async function importRequirements(call: Call): Promise<ExitCode> {
  const from = path.resolve(call.cwd, optionText(call, 'import') ?? '');
  const to = optionText(call, 'write');
  const target = to === undefined ? undefined : path.resolve(call.cwd, to);
  refuse(call, from, target);
  const folder = target === undefined ? call.cwd : path.dirname(target);
  const { readMarkdownRequirements } = await import(
    '../../requirements/markdown/read-markdown-requirements.ts'
  );
  const { placed, sections, notes } = readMarkdownRequirements(from, await readRequirementText(from), folder);
  const covered = await coveredNow(call);
  const reason = optionText(call, 'defer');
  const requirements = placed.map(({ requirement }) => {
    const isOpen = !requirement.deferred && !covered.has(requirement.id);
    return {
      ...sourceOf(from, folder, sections.get(requirement.id)),
      ...requirement,
      ...(reason !== undefined && isOpen ? { deferred: { reason } } : {}),
    };
  });
  const text = requirementsText(requirements, headOf(requirements, path.relative(folder, from)));
  if (target !== undefined) writeText(call, target, text, '--write');
  if (call.json) {
    call.terminal.out(JSON.stringify({ file: to ?? null, requirements, notes }));
    return exitCodes.held;
  }
  if (target === undefined) call.terminal.out(text.trimEnd());
  const say = target === undefined ? call.terminal.err : call.terminal.out;
  for (const line of summaryOf(requirements, notes)) say(line);
  if (to !== undefined) say(`written   ${to}`);
  return exitCodes.held;
}

function refuse(call: Call, from: string, target: string | undefined): void {
  if (!/\.(?:md|markdown|txt)$/i.test(from))
    throw badUsage(
      'shakedown coverage --import',
      `${path.basename(from)} is not a Markdown file`,
      'a file that ends with .md, with a table that has a column `ID`',
      'name the document that contains the requirements',
    );
  if (target !== undefined && existsSync(target))
    throw new Problem({
      code: 'usage.not-empty',
      where: target,
      what: `${path.relative(call.cwd, target)} exists already, and corrections in it would be lost`,
      allowed: 'a file that does not exist yet',
      next: 'write to another file and compare the two, or remove it first',
    });
}

/** When the document is in the folder of the file or below, its row is tracked for changes. */
function sourceOf(from: string, folder: string, section: string | undefined): Pick<Requirement, 'source'> {
  const file = path.relative(folder, from);
  return file.startsWith('..') ? {} : { source: defined({ file, section }) };
}

/** The requirements that the trials of this folder cover; none without a config. */
async function coveredNow(call: Call): Promise<ReadonlySet<string>> {
  if (optionText(call, 'defer') === undefined) return new Set();
  try {
    const trials = await loadTrials(await openSystem(call));
    return new Set(trials.flatMap(({ record }) => record.covers));
  } catch (error) {
    if (error instanceof Problem && error.code === 'config.not-found' && call.options.config === undefined)
      return new Set();
    throw error;
  }
}

function headOf(requirements: readonly Requirement[], from: string): readonly string[] {
  const guessed = requirements.some(({ failPathFrom }) => failPathFrom !== undefined);
  return [
    `Taken from ${from}. \`shakedown coverage\` reads this file, so correct it here.`,
    ...(guessed
      ? [
          '`failPath: true` with a word in its comment was guessed from that word: remove it where there is no failure case.',
        ]
      : []),
  ];
}

function summaryOf(requirements: readonly Requirement[], notes: readonly string[]): readonly string[] {
  const count = (has: (one: Requirement) => boolean): number => requirements.filter(has).length;
  const byPriority = [...Map.groupBy(requirements, ({ priority }) => priority)].sort(([one], [other]) =>
    comparePriorities(one, other),
  );
  const priorities = byPriority.map(
    ([priority, group]) => `${group.length} ${priority ?? 'without a priority'}`,
  );
  return [
    `${requirements.length} requirements: ${priorities.join(', ')}`,
    `${count(({ method }) => method !== undefined)} with a method, ${count(({ antiPattern }) => antiPattern !== undefined)} with a rejected anti-pattern, ${count(({ deferred }) => deferred !== undefined)} deferred, ${count(({ failPath }) => failPath)} with a fail path (${count(({ failPathFrom }) => failPathFrom !== undefined)} guessed from their words: look through them)`,
    ...notes,
  ];
}

/** `option` is the one that named the file, such as `--html`. */
export function writeText({ cwd }: Call, file: string, text: string, option: string): void {
  projectPlace(cwd, file);
  try {
    statSync(path.dirname(file));
    writeShared(cwd, file, text);
  } catch (error) {
    throw new Problem({
      code: 'world.not-writable',
      where: file,
      what: `the file of \`${option}\` cannot be written: ${errorCode(error) ?? String(error)}`,
      allowed: 'a file in an existing folder that you may write to',
      next: `look at the folder: ls -ld ${path.dirname(file)}`,
      cause: error,
    });
  }
}
