/** A closed world: changes that no check claims. */

import { isDeepStrictEqual } from 'node:util';
import { looksAtEnd } from '../kernel/edge-name.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import { createRegexTester, type RegexTester } from '../patterns/bounded-regex.ts';
import { globExpression } from '../patterns/glob-expression.ts';
import { resolvePattern, resolveQuery } from '../patterns/scope.ts';
import type { AttemptView } from './attempt-view.ts';
import { isSameKey, keyOf, looksAtKey } from './claims-key.ts';
import { type Expectation, holdAgainst, speltLike } from './hold-against.ts';
import { canClaim, type Shown, shownTo } from './last-look.ts';
import type { CheckRecord } from './trial-record.ts';

type Change = Readonly<Record<string, unknown>>;

/** `holds` says whether a check holds for a value. */
export function unclaimedChanges(
  value: unknown,
  only: readonly string[],
  view: AttemptView,
  holds: (check: CheckRecord, value: unknown) => boolean,
): unknown {
  if (!Array.isArray(value)) return value;
  const claimants = view.checks.filter(({ id }) => only.includes(id));
  const judgings = new Map(claimants.map((check) => [check, judgingOf(check, view, holds)]));
  const standing = takenByStandingLines(value, view);
  return value.filter(
    (change: Change) =>
      !isOurs(change) &&
      !(isPlayed(change, view) && !standing.has(change)) &&
      ![...judgings].some(([check, judging]) => judging && claims(check, change, judging)),
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

/** One check that may claim changes. */
interface Judging {
  readonly view: AttemptView;
  readonly globs: RegexTester;
  /** Its query. */
  readonly asked: Change;
  readonly shown: Shown;
  /** Its condition in the spellings of the rows that it was shown. */
  readonly spellings: () => readonly unknown[];
}

/** Undefined where it claims nothing. */
function judgingOf(
  check: CheckRecord,
  view: AttemptView,
  holds: (check: CheckRecord, value: unknown) => boolean,
): Judging | undefined {
  const { value, missing } = resolveQuery(check.query, view.scope, checkKind(check.kind)?.forms);
  if (missing.length > 0 || !canClaim(check.kind)) return undefined;
  const asked = value as Change;
  const shown = shownTo(check, view, (seen) => holds(check, seen));
  let known: readonly unknown[] | undefined;
  const spellings = (): readonly unknown[] => (known ??= spellingsOf(asked.where, shown.ever));
  return { view, globs: createRegexTester(), asked, shown, spellings };
}

function claims(check: CheckRecord, change: Change, judging: Judging): boolean {
  const { globs, asked, shown } = judging;
  const { change: shows, readsFile } = checkKind(check.kind) ?? {};
  if (shows === 'row' && change.kind === shows) return claimsRow(check, change, judging);
  if (shows === 'key' && change.kind === shows) return claimsKey(check, change, judging);
  if (shows === 'call' && change.kind === shows)
    return (
      looksAtEnd(String(asked.from), String(change.from)) &&
      looksAtEnd(String(asked.to), String(change.to)) &&
      fits(asked.where, change) &&
      (!shown.then || shown.then.some((call) => isSameCall(call, change)))
    );
  if (change.kind !== 'file' || asked.service !== change.service) return false;
  if (shows === 'file')
    return change.op === 'deleted'
      ? isNamed(asked.path ?? '**', change.path, globs) &&
          !shown.then?.some(({ path }) => path === change.path)
      : sawFile(change.path, shown);
  // What is in the file is not known one by one.
  return readsFile !== undefined && !shown.then && isNamed(readsFile(asked), change.path, globs);
}

function claimsKey(check: CheckRecord, change: Change, { asked, shown, view }: Judging): boolean {
  if (!looksAtKey(asked, change) || change.op === 'unknown') return false;
  const key = keyOf(change);
  if (change.op === 'deleted')
    return fits(asked.where, key) && misses(check, key, { shown, view }, isSameKey);
  const seen = shown.then ?? shown.ever;
  return seen.some((one) => isSameKey(one, key));
}

function isSameCall(one: Change, other: Change): boolean {
  return one.from === other.from && one.to === other.to && one.crossing === other.crossing;
}

function claimsRow(check: CheckRecord, change: Change, judging: Judging): boolean {
  const { asked, shown } = judging;
  const { service, table, row, op } = change;
  const isMany = isOfMany(asked);
  const element = isMany ? { service, table, row } : row;
  const isMeant = isMany
    ? op !== 'deleted' || isMeantOfMany(asked, change)
    : isOwner(asked.service, service) &&
      isEnd(asked.table, table) &&
      (mayFit(asked.where, row) || judging.spellings().some((spelt) => mayFit(spelt, row)));
  if (!isMeant) return false;
  if (op === 'deleted') return misses(check, element, judging, isSameRow);
  if (isMany) return (shown.then ?? shown.ever).some((seen) => isSameOfMany(seen, change));
  return !shown.then || shown.then.some((seen) => isSameRow(seen, row));
}

/** A check of many tables sees each row with its service and its table. */
function isOfMany({ service, table }: Change): boolean {
  return table === '*' || service === '*' || String(service).startsWith('!');
}

/** Its condition may speak of the text of a row, so that only what it was shown is known to fulfil it. */
function isSameOfMany(seen: Change, { service, table, row }: Change): boolean {
  return (
    seen.table === table &&
    (service === null || seen.service === service) &&
    holdAgainst({ expect: { $eq: row } }, seen.row).held
  );
}

/** In the columns that were asked for. */
function isSameRow(seen: Change, row: unknown): boolean {
  const columns = Object.entries(seen).map(([column, value]) => [column, { $eq: value }]);
  return holdAgainst({ expect: Object.fromEntries(columns) }, row).held;
}

function isMeantOfMany(asked: Change, { service, table, row }: Change): boolean {
  return (
    isEnd(asked.table, table) &&
    (String(asked.service).startsWith('!')
      ? asked.service !== `!${service}`
      : isOwner(asked.service, service)) &&
    fits(asked.where, { service, table, row })
  );
}

/** A check claims what was deleted if it, were it still there, would change the answer. */
function misses(
  check: CheckRecord,
  row: unknown,
  { view, shown }: Pick<Judging, 'view' | 'shown'>,
  isSame: (seen: Change, row: unknown) => boolean,
): boolean {
  const rows = shown.then ?? shown.last;
  if (!rows || shown.then?.some((seen) => isSame(seen, row))) return false;
  const expectation = resolvePattern({ expect: check.expect, count: check.count }, view.scope);
  const hold = (value: readonly unknown[]): boolean =>
    holdAgainst(expectation.value as Expectation, value).held;
  return check.golden !== undefined || hold(rows) !== hold([...rows, row]);
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
function sawFile(path: unknown, { ever, then, last }: Shown): boolean {
  const find = (files: readonly Change[] = []): Change | undefined =>
    files.find((file) => file.path === path);
  if (!then) return find(ever) !== undefined;
  return isDeepStrictEqual(find(then), find(last)) && find(last) !== undefined;
}

/** A spelling that selected one row also selects rows with the same value. */
function spellingsOf(where: unknown, found: readonly unknown[]): readonly unknown[] {
  const all = found.flatMap((row) => {
    const spelt = speltLike(where, row);
    // Without a spelling for each part, as in `$any`, only the same row is known to fulfil it.
    return spelt === where ? [] : fits(spelt, row) ? [spelt] : [spelt, { $eq: row }];
  });
  return [...new Map(all.map((spelt) => [JSON.stringify(spelt), spelt])).values()];
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
