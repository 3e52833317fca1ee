/** The items of an answer, and which of them an event is about. */
import type { JsonMap } from '../../kernel/is-map.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { createOpenItem, type OpenItem } from './open-item.ts';

/** Items of an answer, and parts of an item. */
export const mostPlaces = foldLimits.calls;

export interface ItemBook {
  /** In the order of their indices; those with the same one in the order in which they came. */
  inOrder(): readonly OpenItem[];
  /** For `output_item.added`: a new item, or one whose fragments came before it. */
  announce(event: JsonMap, item: JsonMap): OpenItem | undefined;
  /** For every other event about an item. `type` is what an item must be to have such an event. */
  find(event: JsonMap, type: string | undefined): OpenItem | undefined;
  /** For the k-th item of the output of the whole answer: the one that was streamed, or a new one. */
  reconcile(item: JsonMap, k: number): OpenItem | undefined;
}

export function createItemBook(notes: FoldNotes): ItemBook {
  const items: OpenItem[] = [];
  const open = (index: number): OpenItem | undefined => {
    if (items.length >= mostPlaces)
      return notes.fault('too-many-items', `there are more than ${mostPlaces} items`);
    const item = createOpenItem(index);
    items.push(item);
    return item;
  };
  const nextIndex = (): number => items.reduce((next, { index }) => Math.max(next, index + 1), 0);
  return {
    inOrder: () => [...items].sort((a, b) => a.index - b.index),
    announce: (event, item) => {
      const index = placeOf(event.output_index, 'output_index', notes) ?? nextIndex();
      const early = items.find((known) => !known.isAdded && known.id !== undefined && known.id === item.id);
      if (early !== undefined) {
        early.index = index;
        return early;
      }
      const there = items.findLast((known) => known.index === index);
      if (there === undefined) return open(index);
      if (!there.isAdded && isLike(there, item)) return there;
      notes.fault('index-taken', `a second item was added at the output index ${index}`);
      return open(index);
    },
    find: (event, type) => {
      const index = placeOf(event.output_index, 'output_index', notes);
      const id = textOf(event.item_id);
      const named = id === undefined ? undefined : items.findLast((item) => item.id === id);
      if (named !== undefined && index !== undefined && named.index !== index) {
        notes.fault('item-mismatch', `the item ${shownValue(id)} is at ${named.index}, not at ${index}`);
        return named;
      }
      const found = findByEvent(items, index, id, type);
      if (found !== undefined) return found;
      if (index !== undefined) return open(index);
      // A fragment that says by its id alone where it belongs may come before its item; one that says nothing belongs nowhere.
      if (id === undefined)
        return notes.fault('no-such-item', `${shownValue(event.type)} does not say which item it is about`);
      const item = open(nextIndex());
      if (item !== undefined) item.id = id;
      return item;
    },
    reconcile: (item, k) =>
      findForOutput(items, item, k) ?? open(items.some((i) => i.index === k) ? nextIndex() : k),
  };
}

/** By index where there is one, since opaque ids may change between events; ids distinguish what shares an index. */
function findByEvent(
  items: readonly OpenItem[],
  index: number | undefined,
  id: string | undefined,
  type: string | undefined,
): OpenItem | undefined {
  if (index !== undefined) {
    const there = items.filter((item) => item.index === index);
    return there.findLast((item) => id !== undefined && item.id === id) ?? there.at(-1);
  }
  if (id !== undefined) return items.findLast((item) => item.id === id || item.callId === id);
  const fitting = items.filter((item) => !item.isDone && (item.type === type || item.type === undefined));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function findForOutput(items: readonly OpenItem[], item: JsonMap, k: number): OpenItem | undefined {
  const free = items.filter((known) => !known.isReconciled);
  const id = textOf(item.id);
  const callId = textOf(item.call_id);
  const fits = (known: OpenItem): boolean => isLike(known, item);
  return (
    free.find((known) => fits(known) && callId !== undefined && known.callId === callId) ??
    free.find((known) => fits(known) && id !== undefined && known.id === id) ??
    free.find((known) => known.index === k && fits(known) && !contradicts(known, callId)) ??
    free.find((known) => fits(known) && !contradicts(known, callId))
  );
}

/** Ids of items may change during the stream; those of calls pair a call with its result and may not. */
function contradicts(known: OpenItem, callId: string | undefined): boolean {
  return known.callId !== undefined && callId !== undefined && known.callId !== callId;
}

function isLike(known: OpenItem, item: JsonMap): boolean {
  return known.type === undefined || known.type === item.type;
}

/** Undefined where there is none or where it is not within the limits; the latter is a fault. */
export function placeOf(value: unknown, name: string, notes: FoldNotes): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < mostPlaces)
    return value as number;
  return notes.fault('bad-index', `\`${name}\` is ${shownValue(value)}`);
}

/** An empty id names nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, foldLimits.nameChars) : undefined;
}
