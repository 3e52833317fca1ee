/** The rows of a diagram: a call is one row, or two where something happened before its answer; the rest is folded. */
import { listIn, plainText } from '../plain-text.ts';
import type { Item, ItemKind } from './items.ts';
import { laneOf } from './lanes.ts';

export interface ItemRow {
  readonly type: 'item';
  readonly item: Item;
  readonly part: 'whole' | 'request' | 'response';
  readonly at: number;
  /** Lanes that wait for an answer, or work on one, while this happens. */
  readonly active: readonly string[];
}

export interface FrameRow {
  readonly type: 'frame';
  readonly item: Item;
  readonly index: number;
  readonly at: number;
  readonly text: string;
  readonly active: readonly string[];
}

/** What happened between lanes that are closed, or much that only the attempt that passed had. */
export interface FoldRow {
  readonly type: 'fold';
  readonly of: 'lanes' | 'ghosts';
  readonly count: number;
  readonly at: number;
}

export type Row = ItemRow | FrameRow | FoldRow;

export interface RowOptions {
  readonly open: ReadonlySet<string>;
  readonly kinds: ReadonlySet<ItemKind>;
  /** Items whose stream frames are shown. */
  readonly unfolded: ReadonlySet<number>;
  /** Also those of the attempt that passed that follow many others. */
  readonly allGhosts: boolean;
}

export function rowsOf(
  items: readonly Item[],
  { open, kinds, unfolded, allGhosts }: RowOptions,
): readonly Row[] {
  const isShown = ({ from, to, kind }: Item): boolean =>
    kinds.has(kind) && (isOurs(kind) || (open.has(laneOf(from)) && open.has(laneOf(to))));
  const shown = items.filter(isShown);
  const drafts = shown.flatMap((item, index) =>
    draftsOf(item, { isUnfolded: unfolded.has(item.seq), next: nextAt(shown, index) }),
  );
  const hidden = items.filter((item) => kinds.has(item.kind) && !isShown(item));
  const folds = hidden.map(({ at }): FoldRow => ({ type: 'fold', of: 'lanes', count: 1, at }));
  const rows = [...drafts, ...folds].sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b));
  return withActive(joinFolds(allGhosts ? rows : foldGhosts(rows)));
}

/** Samples of checks are on our own lane, which is open while they are shown. */
function isOurs(kind: ItemKind): boolean {
  return kind === 'check' || kind === 'held';
}

/** What ends at a moment comes before what begins. */
function rankOf(row: Row): number {
  if (isGhost(row)) return 2;
  return row.type === 'item' && row.part === 'response' ? 0 : 1;
}

function isGhost(row: Row): boolean {
  return row.type === 'item' && row.item.seq < 0;
}

/** When the next item begins that does not begin at the same moment; they are in order. */
function nextAt(shown: readonly Item[], index: number): number {
  const at = shown[index]?.at ?? 0;
  for (let next = index + 1; next < shown.length; next += 1) {
    const item = shown[next];
    if (item && item.at > at && item.seq > 0) return item.at;
  }
  return Number.POSITIVE_INFINITY;
}

interface Around {
  readonly isUnfolded: boolean;
  readonly next: number;
}

function draftsOf(item: Item, { isUnfolded, next }: Around): readonly Row[] {
  const { at, end } = item;
  const row = (part: ItemRow['part'], moment: number): ItemRow => ({
    type: 'item',
    item,
    part,
    at: moment,
    active: [],
  });
  if (end === undefined || item.from === item.to || isOurs(item.kind) || item.kind === 'span')
    return [row('whole', at)];
  const frames = isUnfolded ? framesOf(item) : [];
  return frames.length > 0 || next < end
    ? [row('request', at), ...frames, row('response', end)]
    : [row('whole', at)];
}

/** The events of a stream, each at its own time. */
export function framesOf(item: Item): readonly FrameRow[] {
  if (item.event.type !== 'call') return [];
  const { end = item.at } = item;
  return listIn(item.event.response?.events).map(({ event, data, at }, index) => ({
    type: 'frame',
    item,
    index,
    at: Math.min(at === undefined ? end : item.at + at, end),
    text: `${event === undefined ? '' : `${event}: `}${plainText(data)}`,
    active: [],
  }));
}

/** So many in a row are shown: an attempt that ended early lacks all that would have followed. */
const mostGhosts = 5;

function foldGhosts(rows: readonly Row[]): readonly Row[] {
  let run = 0;
  return rows.map((row) => {
    run = isGhost(row) ? run + 1 : 0;
    return run > mostGhosts ? { type: 'fold', of: 'ghosts', count: 1, at: row.at } : row;
  });
}

function joinFolds(rows: readonly Row[]): readonly Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (row.type === 'fold' && last?.type === 'fold' && row.of === last.of)
      joined[joined.length - 1] = { ...last, count: last.count + 1 };
    else joined.push(row);
  }
  return joined;
}

function withActive(rows: readonly Row[]): readonly Row[] {
  const busy: string[] = [];
  return rows.map((row) => {
    if (row.type === 'fold') return row;
    if (row.type === 'frame') return { ...row, active: [...busy] };
    const provider = laneOf(row.item.to);
    if (row.part === 'response') busy.splice(busy.lastIndexOf(provider), 1);
    const active = [...new Set(row.part === 'response' ? [...busy, provider] : busy)];
    if (row.part === 'request') busy.push(provider);
    return { ...row, active: row.part === 'request' ? [...new Set([...active, provider])] : active };
  });
}
