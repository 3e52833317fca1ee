/** Finds and reads every trial of a system; the problems of all of them are reported together. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { baseId } from '../../kernel/base-id.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { limits } from '../../kernel/limits.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem, problemsIn, refuse } from '../../kernel/problem.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { globFiles } from '../../system/source/glob-files.ts';
import type { System } from '../../system/system.ts';
import { flowReader } from '../flow/read-flow-file.ts';
import { idleEdgeProblems, knownEdges, relayProblems } from '../known-edges.ts';
import { type KnownSystem, readTrialFile, type TrialEdit } from '../read/read-trial-file.ts';
import type { Trial } from '../trial.ts';

/** With an edit, as it would be if that file had that text. */
export async function loadTrials(system: System, edit?: TrialEdit): Promise<readonly Trial[]> {
  if (system.plugins) await (await import('../kinds/add-plugins.ts')).addPlugins(system);
  const found = await findTrialFiles(system);
  const files = edit && !found.includes(edit.file) ? [...found, edit.file] : found;
  const known: KnownSystem = { system, edges: knownEdges(system) };
  const readFlow = flowReader(known);
  const problems: Problem[] = [
    ...relayProblems(system, known.edges),
    ...idleEdgeProblems(system, known.edges),
  ];
  const trials: Trial[] = [];
  const unread: string[] = [];
  const read = async (file: string): Promise<readonly Trial[]> => {
    try {
      if (isMisnamed(file)) throw misnamed(file);
      return await (isFlow(file)
        ? readFlow(file)
        : readTrialFile(file, known, edit?.file === file ? edit : undefined));
    } catch (error) {
      problems.push(...problemsIn(error));
      unread.push(file);
      return [];
    }
  };
  for (const batch of chunks(files, 8)) trials.push(...(await Promise.all(batch.map(read))).flat());
  problems.push(...repeatedIds(trials), ...unknownTwins(trials, unread.flatMap(writtenIds)));
  refuse(sortProblems(problems));
  return trials;
}

export async function findTrialFiles(system: System): Promise<readonly string[]> {
  /** By real path: a file reached over two links is one. A dangling link is reported when it is read. */
  const found = new Map<string, string>();
  for await (const file of globFiles(system.trials, system.folder)) {
    if (!isTrial(file) && !isFlow(file) && !isMisnamed(file)) continue;
    const real = await realpath(file).catch(() => file);
    const [first = file] = [found.get(real) ?? file, file].sort();
    found.set(real, first);
    if (found.size > limits.trials) throw tooMany(system);
  }
  const files = [...found.values()].sort();
  const names = new Set(files.map((file) => path.basename(file)));
  // The compiled output of a flow is not another flow.
  const isCompiled = (file: string): boolean =>
    /\.flow\.m?js$/.test(file) && names.has(path.basename(file).replace(/js$/, 'ts'));
  return files.filter((file) => !isCompiled(file));
}

function isTrial(file: string): boolean {
  return /\.trial\.ya?ml$/.test(file);
}

function isFlow(file: string): boolean {
  return /\.flow\.m?[jt]s$/.test(file);
}

/** So close to a trial's name that a trial was meant, which would not be performed. */
function isMisnamed(file: string): boolean {
  return /\.(?:trials?\.ya?ml|flows?\.[cm]?[jt]sx?)$/i.test(file) && !isTrial(file) && !isFlow(file);
}

function misnamed(file: string): Problem {
  return new Problem({
    code: 'trial.unreadable',
    where: { file, line: 1, column: 1 },
    what: `${path.basename(file)} is not a name for a trial file, so it would not be performed`,
    allowed: 'NAME.trial.yaml, NAME.trial.yml, NAME.flow.ts, .mts, .js or .mjs',
    next: 'rename the file',
  });
}

function repeatedIds(trials: readonly Trial[]): Problem[] {
  const seen = new Map<string, Trial>();
  return trials.flatMap((trial) => {
    const { id, line } = trial.record;
    const first = seen.get(id);
    if (!first) {
      seen.set(id, trial);
      return [];
    }
    return [
      new Problem({
        code: 'trial.duplicate-id',
        where: trial.whereIs?.('id') ?? { file: trial.file, line, column: 1 },
        what: `the id \`${id}\` is taken by ${first.record.file}:${first.record.line}`,
        allowed: 'an id of its own for every trial',
        next: 'rename one of them',
      }),
    ];
  });
}

/** Ids in files with problems: a `provenBy` that names one of them is not unknown. */
function writtenIds(file: string): string[] {
  try {
    const ids = readPlainFile(file)
      .toString()
      .matchAll(/^\s*id:[ \t]*['"`]?([\w./-]+)/gm);
    return [...ids].map(([, id = '']) => id);
  } catch {
    return []; // reported already
  }
}

function unknownTwins(trials: readonly Trial[], alsoKnown: readonly string[]): Problem[] {
  const ids = new Set([...trials.flatMap(({ record: { id } }) => [id, baseId(id)]), ...alsoKnown]);
  return trials.flatMap(({ record, file, whereIs }) =>
    record.checks.flatMap(({ provenBy, id, line }) =>
      provenBy === undefined || ids.has(provenBy)
        ? []
        : [
            new Problem({
              code: 'trial.unknown-trial',
              where: whereIs?.({ provenBy: id }) ?? { file, line, column: 1 },
              what: `the check \`${id}\` is proven by \`${provenBy}\`, and there is no such trial`,
              allowed: 'the id of another trial of this suite',
              next: didYouMean(provenBy, [...ids], 'correct the id; see all of them: shakedown run --list'),
            }),
          ],
    ),
  );
}

function tooMany(system: System): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: system.file,
    what: `\`trials\` finds more than ${limits.trials} files`,
    allowed: `at most ${limits.trials} trial files`,
    next: 'make the glob narrower',
  });
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
