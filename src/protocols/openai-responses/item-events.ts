/** The events that build the items of an answer: added, filled by fragments, marked as complete, done. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { type ItemBook, placeOf } from './item-book.ts';
import { addFragment, contentSlot, type OpenItem, summarySlot, type TextSlot } from './open-item.ts';
import { type Allowance, type Taking, takeItem, takePart, takeText } from './take-item.ts';

export interface Building {
  readonly book: ItemBook;
  readonly notes: FoldNotes;
  readonly allowance: Allowance;
}

/** Undefined for types that do not build items: those of the answer as a whole, and all that we do not know. */
export function itemEvent(type: string): ((event: JsonMap, building: Building) => void) | undefined {
  if (type === 'response.output_item.added') return addItem;
  if (type === 'response.output_item.done') return finishItem;
  const [, about = '', verb = ''] = /^response\.([a-z_]+)\.(delta|done|added)$/.exec(type) ?? [];
  const text = Object.hasOwn(texts, about) ? texts[about] : undefined;
  if (text !== undefined && verb === 'delta') return (event, building) => takeFragment(event, text, building);
  if (text !== undefined && verb === 'done') return (event, building) => takeWhole(event, text, building);
  const when = verb === 'added' ? 'added' : 'done';
  if (about === 'content_part') return (event, building) => takePartEvent(event, { ...building, when });
  if (about === 'reasoning_summary_part')
    return (event, building) => takeSummaryEvent(event, { ...building, when });
  return undefined;
}

/** Where a streamed text belongs: the type of its item, the slot there, and the field in which it comes as a whole. */
interface StreamedText {
  readonly item: string;
  readonly slot: 'input' | 'summary' | 'content';
  /** Of the part of the content. */
  readonly part?: string;
  readonly whole: string;
  readonly shape?: string;
}

const texts: Readonly<Record<string, StreamedText>> = {
  output_text: { item: 'message', slot: 'content', part: 'output_text', whole: 'text' },
  refusal: { item: 'message', slot: 'content', part: 'refusal', whole: 'refusal' },
  reasoning_text: { item: 'reasoning', slot: 'content', part: 'reasoning_text', whole: 'text' },
  reasoning_summary_text: { item: 'reasoning', slot: 'summary', whole: 'text' },
  function_call_arguments: { item: 'function_call', slot: 'input', whole: 'arguments', shape: 'R10' },
  custom_tool_call_input: { item: 'custom_tool_call', slot: 'input', whole: 'input' },
};

function addItem(event: JsonMap, { book, ...building }: Building): undefined {
  if (!isMap(event.item))
    return building.notes.fault('no-item', `an item was added that is ${shownValue(event.item)}`);
  const item = book.announce(event, event.item);
  if (item === undefined) return;
  item.isAdded = true;
  takeItem(item, event.item, { ...building, when: 'added' });
}

function finishItem(event: JsonMap, { book, ...building }: Building): undefined {
  if (!isMap(event.item))
    return building.notes.fault('no-item', `an item is done that is ${shownValue(event.item)}`);
  const item = book.find({ ...event, item_id: event.item.id ?? event.item.call_id }, undefined);
  if (item === undefined) return;
  if (!item.isAdded)
    building.notes.oddity('done-unadded', `the item ${item.index} is done, and was never added`);
  takeItem(item, event.item, { ...building, when: 'done' });
  item.isDone = true;
}

function takeFragment(event: JsonMap, text: StreamedText, building: Building): undefined {
  const { notes, allowance } = building;
  if (typeof event.delta !== 'string')
    return notes.fault(
      'bad-delta',
      `the \`delta\` of ${shownValue(event.type)} is ${shownValue(event.delta)}`,
    );
  const found = findText(event, text, building);
  if (found === undefined) return;
  if (event.item_id === undefined && found.item.id !== undefined)
    notes.oddity('no-item-id', `${shownValue(event.type)} names its item by the index alone`, 'R14');
  const isLate =
    addFragment(found.slot, allowance.spend(event.delta)) || (found.item.isDone && event.delta !== '');
  if (isLate)
    notes.fault('delta-after-done', `${shownValue(event.type)} came after its text was done`, 'R17');
}

function takeWhole(event: JsonMap, text: StreamedText, building: Building): void {
  const found = findText(event, text, building);
  if (found === undefined) return;
  if (text.slot === 'input' && typeof event.name === 'string') found.item.name ??= event.name;
  const about = `the text of the item ${found.item.index}`;
  takeText(found.slot, event[text.whole], about, { ...building, when: 'done' }, text.shape);
}

function findText(
  event: JsonMap,
  text: StreamedText,
  building: Building,
): { item: OpenItem; slot: TextSlot } | undefined {
  const item = findItem(event, text.item, building);
  if (item === undefined) return undefined;
  if (text.slot === 'input') return { item, slot: item.input };
  const { notes } = building;
  if (text.slot === 'summary') {
    return { item, slot: summarySlot(item, placeOf(event.summary_index, 'summary_index', notes) ?? 0) };
  }
  const slot = contentSlot(item, placeOf(event.content_index, 'content_index', notes) ?? 0);
  if (slot.type !== undefined && slot.type !== text.part)
    notes.fault('wrong-part', `${shownValue(event.type)} is about a part that is ${shownValue(slot.type)}`);
  slot.type ??= text.part;
  return { item, slot };
}

/** An unannounced item is what its events make of it. */
function findItem(event: JsonMap, type: string, { book, notes }: Building): OpenItem | undefined {
  const item = book.find(event, type);
  if (item === undefined) return undefined;
  if (item.type === undefined) {
    notes.oddity('early-event', `${shownValue(event.type)} came before its item was added`, 'R11');
    item.type = type;
  } else if (item.type !== type)
    notes.fault('wrong-item', `${shownValue(event.type)} is about an item that is ${shownValue(item.type)}`);
  return item;
}

function takePartEvent(event: JsonMap, { book, ...taking }: Building & Taking): undefined {
  const { notes } = taking;
  const { part } = event;
  if (!isMap(part))
    return notes.fault('no-part', `the part of ${shownValue(event.type)} is ${shownValue(part)}`);
  const type = part.type === 'reasoning_text' ? 'reasoning' : 'message';
  const item = findItem(event, type, { book, ...taking });
  if (item === undefined) return;
  takePart(item, placeOf(event.content_index, 'content_index', notes) ?? 0, part, taking);
}

function takeSummaryEvent(event: JsonMap, { book, ...taking }: Building & Taking): void {
  const item = findItem(event, 'reasoning', { book, ...taking });
  if (item === undefined || !isMap(event.part)) return;
  const index = placeOf(event.summary_index, 'summary_index', taking.notes) ?? 0;
  takeText(summarySlot(item, index), event.part.text, `summary ${index}`, taking);
}
