/** A closed world: changes that no check claims. */

import { checkKind } from '../kinds/check-kinds.ts';
import { createRegexTester, type RegexTester } from '../patterns/bounded-regex.ts';
import { globExpression } from '../patterns/glob-expression.ts';
import { resolveInScope, resolvePattern } from '../patterns/scope.ts';
import type { AttemptView } from './attempt-view.ts';
import { type Expectation, holdAgainst, speltLike } from './hold-against.ts';
import type { CheckRecord } from './trial-record.ts';

type Change = Readonly<Record<string, unknown>>;

export function unclaimedChanges(value: unknown, only: readonly string[], view: AttemptView): unknown {
  if (!Array.isArray(value)) return value;
  const claimants = view.checks.filter(({ id }) => only.includes(id));
  const judging: Judging = { view, globs: createRegexTester(), shown: new Map() };
  const standing = takenByStandingLines(value, view);
  return value.filter(
    (change: Change) =>
      !isOurs(change) &&
      !(isPlayed(change, view) && !standing.has(change)) &&
      !claimants.some((check) => claims(check, change, judging)),
  );
}

/** Calls of the trial's own steps are not changes of the system. */
function isOurs(change: Change): boolean {
  return change.kind === 'call' && change.from === 'outside';
}

/** Calls to models and third parties that we play are claimed by the script: a call without a line fails by itself. */
function isPlayed({ kind, to }: Change, { topology }: AttemptView): boolean {
  const party = topology?.parties.find(({ name }) => name === to);
  return kind === 'call' && party !== undefined && party.kind !== 'service';
}

/** A line that applies to every trial claims nothing. Calls of one address are reported in order. */
function takenByStandingLines(changes: readonly Change[], view: AttemptView): ReadonlySet<Change> {
  const groups = Map.groupBy(
    [
      ...view.peerCalls
        .filter(({ callback }) => !callback)
        .map(({ caller, resource, method, path, standing }) => ({
          key: JSON.stringify([caller, resource, method, path]),
          isStanding: standing === true,
        })),
      ...[...view.modelCalls]
        .sort((a, b) => a.startedAt - b.startedAt)
        .map(({ caller, resource, mode, line, asks, dialect, fault }) => ({
          key: JSON.stringify([caller, resource]),
          isStanding: mode === 'script' && !(line ?? asks ?? fault) && dialect !== null,
        })),
    ],
    ({ key }) => key,
  );
  const calls = changes.filter((change) => isPlayed(change, view));
  const exchanges = Map.groupBy(calls, ({ from, to, crossing }) => JSON.stringify([from, to, crossing]));
  return new Set(
    [...exchanges.values()].flatMap((exchange) => {
      const { from, to, path, protocol, method } = exchange[0] as Change;
      const asked = [from, to, protocol === 'json-rpc' ? 'POST' : method, path];
      const answers = groups.get(JSON.stringify(asked)) ?? groups.get(JSON.stringify([from, to]));
      return answers?.shift()?.isStanding ? exchange : [];
    }),
  );
}

interface Judging {
  readonly view: AttemptView;
  readonly globs: RegexTester;
  /** By check: its condition in the spellings of rows that it was shown. */
  readonly shown: Map<string, readonly unknown[]>;
}

function claims(check: CheckRecord, change: Change, judging: Judging): boolean {
  const { view, globs } = judging;
  const { value: query, missing } = resolveInScope(check.query, view.scope);
  if (missing.length > 0) return false;
  const { value: where } = resolvePattern(check.query.where, view.scope);
  const asked: Change = { ...(query as Change), where };
  const { change: shown, readsFile } = checkKind(check.kind) ?? {};
  if (shown === 'row' && change.kind === shown && isOfMany(asked))
    return change.op === 'deleted' ? missesOfMany(check, asked, change, view) : sawRow(check, change, view);
  if (shown === 'row' && change.kind === shown)
    return (
      isOwner(asked.service, change.service) &&
      isEnd(asked.table, change.table) &&
      (mayFit(asked.where, change.row) || sawAlike(check, asked.where, change.row, judging)) &&
      (change.op !== 'deleted' || missesRow(check, change.row, view))
    );
  if (shown === 'call' && change.kind === shown)
    return isEnd(asked.from, change.from) && isEnd(asked.to, change.to) && fits(asked.where, change);
  if (change.kind !== 'file' || asked.service !== change.service) return false;
  if (shown === 'file')
    return change.op === 'deleted'
      ? isNamed(asked.path ?? '**', change.path, globs)
      : sawFile(check, change.path, view);
  return readsFile !== undefined && isNamed(readsFile(asked), change.path, globs);
}

/** A check of many tables sees each row with its service and its table. */
function isOfMany({ service, table }: Change): boolean {
  return table === '*' || service === '*' || String(service).startsWith('!');
}

/** Its condition may speak of the text of a row, so that only what it was shown is known to fulfil it. */
function sawRow({ id }: CheckRecord, { service, table, row }: Change, view: AttemptView): boolean {
  return shownTo(id, view).some(
    (seen) =>
      seen.table === table &&
      (service === null || seen.service === service) &&
      holdAgainst({ expect: { $eq: row } }, seen.row).held,
  );
}

function missesOfMany(check: CheckRecord, asked: Change, change: Change, view: AttemptView): boolean {
  const { service, table, row } = change;
  const isMeant =
    isEnd(asked.table, table) &&
    (String(asked.service).startsWith('!')
      ? asked.service !== `!${service}`
      : isOwner(asked.service, service));
  return (
    isMeant && fits(asked.where, { service, table, row }) && missesRow(check, { service, table, row }, view)
  );
}

/** A check claims a deleted row if the row, were it still there, would change the answer. */
function missesRow(check: CheckRecord, row: unknown, view: AttemptView): boolean {
  const seen = view.probes.get(check.id)?.samples.findLast(({ type }) => type === 'probe.sampled');
  if (seen?.type !== 'probe.sampled' || !Array.isArray(seen.value)) return false;
  const expectation = resolvePattern({ expect: check.expect, count: check.count }, view.scope);
  const hold = (rows: readonly unknown[]): boolean =>
    holdAgainst(expectation.value as Expectation, rows).held;
  return check.golden !== undefined || hold(seen.value) !== hold([...seen.value, row]);
}

/** By its path, or by a glob. */
function isNamed(glob: unknown, path: unknown, globs: RegexTester): boolean {
  if (glob === path) return true;
  const expression = globExpression(String(glob).replace(/^\.\//, ''));
  try {
    return expression !== undefined && globs.test(expression, '', String(path)) === true;
  } catch {
    // A class such as `[z-a]`: no file was found by it either.
    return false;
  }
}

/** A check claims the files that it looked at, not the whole folder. */
function sawFile({ id }: CheckRecord, path: unknown, view: AttemptView): boolean {
  return shownTo(id, view).some((file) => file.path === path);
}

/** A spelling that selected one row also selects rows with the same value. */
function sawAlike({ id }: CheckRecord, where: unknown, row: unknown, { view, shown }: Judging): boolean {
  if (!shown.has(id)) shown.set(id, spellings(where, shownTo(id, view)));
  return shown.get(id)?.some((spelt) => mayFit(spelt, row)) === true;
}

function spellings(where: unknown, found: readonly unknown[]): readonly unknown[] {
  const all = found.flatMap((row) => {
    const spelt = speltLike(where, row);
    // Without a spelling for each part, as in `$any`, only the same row is known to fulfil it.
    return spelt === where ? [] : fits(spelt, row) ? [spelt] : [spelt, { $eq: row }];
  });
  return [...new Map(all.map((spelt) => [JSON.stringify(spelt), spelt])).values()];
}

function shownTo(id: string, view: AttemptView): readonly Change[] {
  const samples = view.probes.get(id)?.samples ?? [];
  return samples.flatMap((sample) =>
    sample.type === 'probe.sampled' && Array.isArray(sample.value) ? (sample.value as Change[]) : [],
  );
}

/** Shared data has no owner, and any check that looks at it may claim it. */
function isOwner(asked: unknown, owner: unknown): boolean {
  return owner === null || isEnd(asked, owner);
}

function isEnd(asked: unknown, seen: unknown): boolean {
  return asked === '*' || asked === seen;
}

/** The database decides which spellings are equal; here it is enough that they may be. */
function mayFit(where: unknown, row: unknown): boolean {
  return fits(where, row) || holdAgainst({ expect: where }, row).unsure !== undefined;
}

function fits(where: unknown, value: unknown): boolean {
  return where === undefined || holdAgainst({ expect: where }, value).held;
}
