/** The end of an answer: its output is compared with what was streamed, and items that were left open are reported. */
import { isMap } from '../../kernel/is-map.ts';
import { shownValue } from '../turn/fold-notes.ts';
import { mostPlaces } from './item-book.ts';
import type { Building } from './item-events.ts';
import type { OpenItem } from './open-item.ts';
import { takeItem } from './take-item.ts';

export function closeItems(building: Building, status: 'completed' | 'incomplete', output: unknown): void {
  const { book, notes } = building;
  const streamed = book.inOrder();
  reconcile(building, Array.isArray(output) ? output.slice(0, mostPlaces) : []);
  const isLacking = streamed.some(({ isReconciled }) => !isReconciled);
  if (isLacking)
    notes.oddity('output-lacks-items', 'the output at the end lacks items that were streamed', 'R09');
  const items = book.inOrder();
  if (items.length === 0 && status === 'completed')
    notes.fault('completed-empty', 'the answer is completed and has nothing in it', 'R05');
  for (const item of items) closeItem(item, status, building);
}

function reconcile({ book, ...building }: Building, output: readonly unknown[]): void {
  for (const [k, value] of output.entries()) {
    if (!isMap(value)) building.notes.fault('no-item', `the output holds ${shownValue(value)}`);
    const item = isMap(value) ? book.reconcile(value, k) : undefined;
    if (item === undefined || !isMap(value)) continue;
    item.isReconciled = true;
    takeItem(item, value, { ...building, when: 'done' });
  }
}

function closeItem(item: OpenItem, status: 'completed' | 'incomplete', { notes }: Building): void {
  const { index } = item;
  if (!item.isAdded && item.isReconciled && !item.isDone)
    notes.oddity('only-at-end', `the item ${index} came with the end of the answer alone`, 'R13');
  else if (!item.isAdded && !item.isDone) notes.fault('not-added', `the item ${index} was never added`);
  if (!item.isDone && (item.isReconciled || isWhole(item))) {
    notes.oddity('done-unsaid', `no event marked the item ${index} as done`, 'R13');
    item.isDone = true;
  }
  if (status === 'incomplete') {
    item.isIncomplete ||= !item.isDone;
    return;
  }
  if (!item.isDone) notes.fault('not-done', `the answer is completed and the item ${index} is not`, 'R05');
  else if (item.isIncomplete)
    notes.fault('not-done', `the answer is completed and the item ${index} is incomplete`, 'R05');
}

/** Each of its texts was marked as complete. */
function isWhole({ type, input, content, summary }: OpenItem): boolean {
  if (type === 'function_call' || type === 'custom_tool_call') return input.final !== undefined;
  const slots = [...content.values(), ...summary.values()];
  return slots.length > 0 && slots.every((slot) => slot.final !== undefined);
}
