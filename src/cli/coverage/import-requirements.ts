/** `coverage --import`: takes requirements out of the tables of a Markdown file, as a YAML file that a team keeps. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { readRequirementText } from '../../requirements/load-requirements.ts';
import { readMarkdownRequirements } from '../../requirements/markdown/read-markdown-requirements.ts';
import { comparePriorities } from '../../requirements/priority.ts';
import type { Requirement } from '../../requirements/requirement.ts';
import { anchorOf } from '../../requirements/source-section.ts';
import { requirementsText } from '../../requirements/write-requirements.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { openSystem } from '../open-system.ts';
import { type Call, optionText } from '../verb.ts';
import { writeText } from './write-text.ts';

export async function importRequirements(call: Call): Promise<ExitCode> {
  const from = path.resolve(call.cwd, optionText(call, 'import') ?? '');
  const to = optionText(call, 'write');
  const target = to === undefined ? undefined : path.resolve(call.cwd, to);
  refuse(call, from, target);
  const folder = target === undefined ? call.cwd : path.dirname(target);
  const { placed, headings, notes } = readMarkdownRequirements(from, await readRequirementText(from), folder);
  const covered = await coveredNow(call);
  const reason = optionText(call, 'defer');
  const requirements = placed.map(({ requirement }) =>
    withDeferral(withSource(requirement, from, folder, headings.get(requirement.id)), reason, covered),
  );
  const text = requirementsText(requirements, headOf(requirements, path.relative(folder, from)));
  if (target !== undefined) writeText(target, text, '--write');
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
    throw new Problem({
      code: 'usage.bad-value',
      where: 'shakedown coverage --import',
      what: `${path.basename(from)} is no Markdown file`,
      allowed: 'a file that ends with .md, with a table that has a column `ID`',
      next: 'name the document in which the requirements stand',
    });
  if (target !== undefined && existsSync(target))
    throw new Problem({
      code: 'usage.not-empty',
      where: target,
      what: `${path.relative(call.cwd, target)} is there already, and what was corrected in it would be lost`,
      allowed: 'a file that is not there yet',
      next: 'write to another file and compare the two, or remove it first',
    });
}

/** Where the document lies below the file, the row is found again when it changes. */
function withSource(
  requirement: Requirement,
  from: string,
  folder: string,
  heading: string | undefined,
): Requirement {
  const file = path.relative(folder, from);
  if (requirement.source || file.startsWith('..')) return requirement;
  return {
    ...requirement,
    source: { file, ...(heading === undefined ? {} : { section: anchorOf(heading) }) },
  };
}

function withDeferral(
  requirement: Requirement,
  reason: string | undefined,
  covered: ReadonlySet<string>,
): Requirement {
  if (reason === undefined || requirement.deferred || covered.has(requirement.id)) return requirement;
  return { ...requirement, deferred: { reason } };
}

/** What the trials of this folder cover; nothing where there is no config yet. */
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
    `Taken from ${from}. This file is yours: correct it, and it is what \`shakedown coverage\` reads.`,
    ...(guessed
      ? [
          '`failPath: true` with a word behind it was guessed from that word: remove it where there is no failing side.',
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
