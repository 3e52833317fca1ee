/** The rows of a diagram: a call is one row, or two where something happened before its answer; the rest is folded. */
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

/** What happened between lanes that are closed, or is of a kind that is not shown. */
export interface FoldRow {
  readonly type: 'fold';
  readonly count: number;
  readonly at: number;
}

export type Row = ItemRow | FrameRow | FoldRow;

export interface RowOptions {
  readonly open: ReadonlySet<string>;
  readonly kinds: ReadonlySet<ItemKind>;
  /** Items whose stream frames are shown. */
  readonly unfolded: ReadonlySet<number>;
}

export function rowsOf(items: readonly Item[], { open, kinds, unfolded }: RowOptions): readonly Row[] {
  const isShown = ({ from, to, kind }: Item): boolean =>
    kinds.has(kind) && (isOurs(kind) || (open.has(laneOf(from)) && open.has(laneOf(to))));
  const shown = items.filter(isShown);
  const drafts = shown.flatMap((item) => draftsOf(item, shown, unfolded.has(item.seq)));
  const hidden = items.filter((item) => kinds.has(item.kind) && !isShown(item));
  const rows = [...drafts, ...hidden.map(({ at }): FoldRow => ({ type: 'fold', count: 1, at }))];
  return withActive(joinFolds(rows.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b))));
}

/** Samples of checks are on our own lane, which is open while they are shown. */
function isOurs(kind: ItemKind): boolean {
  return kind === 'check' || kind === 'held';
}

/** What ends at a moment comes before what begins. */
function rankOf(row: Row): number {
  return row.type === 'item' && row.part === 'response' ? 0 : 1;
}

function draftsOf(item: Item, shown: readonly Item[], isUnfolded: boolean): readonly Row[] {
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
  const isInterrupted =
    frames.length > 0 || shown.some((other) => other !== item && other.at > at && other.at < end);
  return isInterrupted ? [row('request', at), ...frames, row('response', end)] : [row('whole', at)];
}

/** The events of a stream, each at its own time. */
export function framesOf(item: Item): readonly FrameRow[] {
  if (item.event.type !== 'call') return [];
  const { end = item.at } = item;
  return (item.event.response?.events ?? []).map(({ event, data, at }, index) => ({
    type: 'frame',
    item,
    index,
    at: Math.min(at === undefined ? end : item.at + at, end),
    text: `${event === undefined ? '' : `${event}: `}${typeof data === 'string' ? data : JSON.stringify(data)}`,
    active: [],
  }));
}

function joinFolds(rows: readonly Row[]): readonly Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (row.type === 'fold' && last?.type === 'fold')
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
