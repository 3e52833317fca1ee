/** Which trials a run performs: words, tags and gates narrow each other; twins of absences are added. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage, Problem } from '../../kernel/problem.ts';
import { effectivePriority, normalPriority } from '../../requirements/priority.ts';
import type { Gate } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';

export interface Selection {
  /** Ids, prefixes of ids, paths of files and folders, or globs of any of these. */
  readonly words: readonly string[];
  /** All of these tags. */
  readonly tags: readonly string[];
  readonly gate?: Gate;
  /** Priority by requirement, for trials without their own. */
  readonly priorities?: ReadonlyMap<string, string>;
  /** Only these, if given. */
  readonly ids?: readonly string[];
  readonly shard?: { readonly index: number; readonly of: number };
  readonly cwd: string;
}

export type Selected = ReturnType<typeof selectTrials>;

export function selectTrials(all: readonly Trial[], selection: Selection) {
  const named = new Set(selection.words.flatMap((word) => meant(word, all, selection.cwd)));
  const chosen = all.filter(
    (trial) => (selection.words.length === 0 || named.has(trial)) && isChosen(trial, selection),
  );
  const mine = selection.shard ? shardOf(chosen, selection.shard) : chosen;
  if (mine.length === 0) throw nothing(all, selection);
  const picked = new Set(mine.map(({ record }) => record.id));
  // Those that are only added to prove an absence.
  const twins = new Set<string>();
  addTwins(all, picked, twins);
  return {
    trials: all.filter(({ record }) => picked.has(record.id) || twins.has(record.id)),
    twins,
    /** Those of all shards. */
    chosen: chosen.map(({ record }) => record.id),
  };
}

/** A complete id selects that trial, not also those that have it as a prefix. */
function meant(word: string, all: readonly Trial[], cwd: string): readonly Trial[] {
  const ways = [
    ({ record }: Trial) => record.id === word,
    (trial: Trial) => fits(word, trial, cwd),
    // A shell may name the folder by a symlink; compare real paths.
    ({ file }: Trial) => isIn(realOf(path.resolve(cwd, word)), realOf(file)),
  ];
  for (const isMeant of ways) {
    const found = all.filter(isMeant);
    if (found.length > 0) return found;
  }
  throw unknownWord(word, all);
}

function realOf(place: string): string {
  return existsSync(place) ? realpathSync(place) : place;
}

function isIn(place: string, file: string): boolean {
  return file === place || file.startsWith(`${place}${path.sep}`);
}

function isChosen({ record }: Trial, { tags, gate, ids, priorities }: Selection): boolean {
  const priority = effectivePriority(record, priorities ?? new Map()) ?? '';
  return (
    tags.every((tag) => record.tags.includes(tag)) &&
    (gate?.tags ?? []).every((tag) => record.tags.includes(tag)) &&
    (gate?.priority === undefined ||
      gate.priority.some((wanted) => (normalPriority(wanted) ?? wanted) === priority)) &&
    (ids === undefined || ids.includes(record.id))
  );
}

function fits(word: string, { record: { id }, file }: Trial, cwd: string): boolean {
  const [base] = id.split('[');
  if (word === base || id.startsWith(`${word.replace(/\/+$/, '')}/`)) return true;
  if (word.includes('*'))
    return path.matchesGlob(id, word) || path.matchesGlob(path.relative(cwd, file), path.normalize(word));
  return isIn(path.resolve(cwd, word), file);
}

/** Cases of one trial may go to different shards; the same trial always goes to the same one. */
function shardOf(trials: readonly Trial[], { index, of }: NonNullable<Selection['shard']>): readonly Trial[] {
  return trials.filter((_, position) => position % of === index - 1);
}

/** A twin may itself have a twin. */
function addTwins(all: readonly Trial[], picked: ReadonlySet<string>, twins: Set<string>): void {
  const before = twins.size;
  for (const { record } of all) {
    if (!picked.has(record.id) && !twins.has(record.id)) continue;
    for (const { provenBy, source } of record.checks) {
      if (provenBy === undefined) continue;
      const cases = all.filter(
        (trial) => trial.record.id === provenBy || trial.record.id.startsWith(`${provenBy}[`),
      );
      // Of several cases, the one that observes the same source; a flow does not declare its sources beforehand.
      const looking = cases.filter(({ record: twin }) =>
        twin.checks.some((check) => check.source === source),
      );
      const proving = looking.length > 0 ? looking : cases;
      if (proving.some((trial) => picked.has(trial.record.id))) continue;
      const [first] = proving;
      if (first) twins.add(first.record.id);
    }
  }
  if (twins.size > before) addTwins(all, picked, twins);
}

function unknownWord(word: string, all: readonly Trial[]): Problem {
  const ids = all.map(({ record }) => record.id);
  const some = `${ids.slice(0, 12).join(', ')}${ids.length > 12 ? ', …' : ''}`;
  return badUsage(
    'shakedown run',
    `nothing is called ${JSON.stringify(word)}: no trial, no prefix of an id, no file`,
    ids.length > 0 ? some : 'there is no trial at all',
    didYouMean(word, ids, 'see all of them: shakedown run --list'),
  );
}

function nothing(all: readonly Trial[], { tags, gate, ids, shard }: Selection): Problem {
  const by = [
    ...(tags.length > 0 ? [`the tags ${tags.join(' and ')}`] : []),
    ...(gate ? ['the gate'] : []),
    ...(ids ? ['those that failed last'] : []),
    ...(shard ? [`shard ${shard.index}/${shard.of}`] : []),
  ];
  return new Problem({
    code: 'suite.nothing-selected',
    where: 'shakedown run',
    what:
      all.length === 0
        ? 'the system has no trial'
        : `none of ${all.length} trials is selected${by.length > 0 ? ` by ${by.join(', ')}` : ''}`,
    allowed: 'a selection of at least one trial',
    next:
      all.length === 0
        ? 'write one: docs/tutorials/first-trial.md'
        : 'see what there is: shakedown run --list',
  });
}
