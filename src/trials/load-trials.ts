/** Finds and reads every trial of a system; whatever is wrong with any of them is told at once. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { edgeEnd, findEdges } from '../environment/wiring/edges.ts';
import { limits } from '../kernel/limits.ts';
import { Problem, Problems, problemsIn } from '../kernel/problem.ts';
import type { System } from '../system/system.ts';
import { readFlowFile } from './flow/read-flow-file.ts';
import { type KnownSystem, readTrialFile } from './read/read-trial-file.ts';
import type { Trial } from './trial.ts';

export async function loadTrials(system: System): Promise<readonly Trial[]> {
  const files = await findTrialFiles(system);
  const known: KnownSystem = { system, edges: knownEdges(system) };
  const problems: Problem[] = [];
  const trials: Trial[] = [];
  const read = async (file: string): Promise<readonly Trial[]> => {
    try {
      return await (isFlow(file) ? readFlowFile(file, system) : readTrialFile(file, known));
    } catch (error) {
      problems.push(...problemsIn(error));
      return [];
    }
  };
  for (const batch of chunks(files, 8)) trials.push(...(await Promise.all(batch.map(read))).flat());
  problems.push(...repeatedIds(trials), ...unknownTwins(trials));
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new Problems(problems);
  return trials;
}

export async function findTrialFiles(system: System): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const name of glob([...system.trials], {
    cwd: system.folder,
    exclude: (inner) => ['node_modules', '.git', '.shakedown'].includes(path.basename(inner)),
  })) {
    if (/\.trial\.ya?ml$/.test(name) || isFlow(name)) found.add(path.resolve(system.folder, name));
    if (found.size > limits.trials) throw tooMany(system);
  }
  return [...found].sort();
}

function isFlow(file: string): boolean {
  return /\.flow\.m?[jt]s$/.test(file);
}

/** Every edge that a tap or a recorder sees. */
export function knownEdges(system: System): readonly string[] {
  const tapped = findEdges(system).map(
    ({ from, to, listener }) => `${from} -> ${edgeEnd(system, to, listener)}`,
  );
  const recorded = system.services.flatMap(({ name, shims }) =>
    Object.keys(shims ?? {}).map((to) => `${name} -> ${to}`),
  );
  return [...tapped, ...recorded];
}

function repeatedIds(trials: readonly Trial[]): Problem[] {
  const seen = new Map<string, Trial>();
  return trials.flatMap((trial) => {
    const { id, line } = trial.record;
    const first = seen.get(id);
    if (!first) seen.set(id, trial);
    if (!first) return [];
    return [
      new Problem({
        code: 'trial.duplicate-id',
        where: { file: trial.file, line, column: 1 },
        what: `the id \`${id}\` is taken by ${first.record.file}:${first.record.line}`,
        allowed: 'an id of its own for every trial',
        next: 'rename one of them',
      }),
    ];
  });
}

function unknownTwins(trials: readonly Trial[]): Problem[] {
  const ids = new Set(trials.flatMap(({ record: { id } }) => [id, id.replace(/\[.*\]$/, '')]));
  return trials.flatMap(({ record, file }) =>
    record.checks.flatMap(({ provenBy, id, line }) =>
      provenBy === undefined || ids.has(provenBy)
        ? []
        : [
            new Problem({
              code: 'trial.unknown-trial',
              where: { file, line, column: 1 },
              what: `the check \`${id}\` is proven by \`${provenBy}\`, and there is no such trial`,
              allowed: 'the id of another trial of this suite',
              next: 'correct the id; see all of them: shakedown run --list',
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
