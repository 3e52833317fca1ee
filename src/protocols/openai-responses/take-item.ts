/** Takes what an item of the wire says into the item that is being put together: when it is added, when it is done, at the end. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { mostPlaces, textOf } from './item-book.ts';
import { contentSlot, type OpenItem, settleText, summarySlot, type TextSlot } from './open-item.ts';

export interface Taking {
  readonly notes: FoldNotes;
  readonly allowance: Allowance;
  /** `added`: its texts are beginnings. `done`: they are whole. `body`: whole, and there were no fragments to expect. */
  readonly when: 'added' | 'done' | 'body';
}

export function takeItem(item: OpenItem, value: JsonMap, taking: Taking): void {
  const type = textOf(value.type);
  if (item.type !== undefined && type !== undefined && item.type !== type)
    taking.notes.fault(
      'wrong-item',
      `the item ${item.index} was ${shownValue(item.type)} and is ${shownValue(type)} now`,
    );
  item.type = type ?? item.type;
  item.id = textOf(value.id) ?? item.id;
  item.isIncomplete ||= value.status === 'incomplete';
  if (item.type === 'message') takeContent(item, value.content, 'output_text', taking);
  else if (item.type === 'function_call') takeCall(item, value, value.arguments, taking);
  else if (item.type === 'custom_tool_call') takeCall(item, value, value.input, taking);
  else if (item.type === 'reasoning') takeReasoning(item, value, taking);
  else item.value = taking.allowance.keep(value);
}

function takeCall(item: OpenItem, value: JsonMap, input: unknown, taking: Taking): void {
  const { notes } = taking;
  const callId = textOf(value.call_id);
  if (item.callId !== undefined && callId !== undefined && item.callId !== callId)
    notes.fault('call-id-differs', `the call ${shownValue(item.callId)} became ${shownValue(callId)}`);
  item.callId ??= callId;
  item.name = textOf(value.name) ?? item.name;
  item.namespace = textOf(value.namespace) ?? item.namespace;
  if (isMap(input))
    notes.oddity('arguments-object', `the arguments of ${shownValue(item.name)} are an object, not text`);
  const text = isMap(input) ? JSON.stringify(input) : input;
  takeText(item.input, text, `the arguments of ${shownValue(item.name)}`, taking, 'R10');
}

function takeReasoning(item: OpenItem, value: JsonMap, taking: Taking): void {
  item.encrypted = textOf(value.encrypted_content) ?? item.encrypted;
  takeContent(item, value.content, 'reasoning_text', taking);
  if (!Array.isArray(value.summary)) return;
  value.summary.slice(0, mostPlaces).forEach((part: unknown, index) => {
    if (isMap(part)) takeText(summarySlot(item, index), part.text, `summary ${index}`, taking);
  });
}

function takeContent(item: OpenItem, content: unknown, plainType: string, taking: Taking): void {
  if (typeof content === 'string') {
    taking.notes.oddity('content-text', `the content of the item ${item.index} is a text, not a list`);
    takePart(item, 0, { type: plainType, text: content }, taking);
  }
  if (!Array.isArray(content)) return;
  content.slice(0, mostPlaces).forEach((part: unknown, index) => {
    if (isMap(part)) takePart(item, index, part, taking);
  });
}

/** A part of a message or of reasoning, as it is in an item or in an event of its own. */
export function takePart(item: OpenItem, index: number, part: JsonMap, taking: Taking): void {
  const slot = contentSlot(item, index);
  const type = textOf(part.type);
  if (slot.type !== undefined && type !== undefined && slot.type !== type)
    taking.notes.fault('wrong-part', `a part was ${shownValue(slot.type)} and is ${shownValue(type)} now`);
  slot.type = type ?? slot.type;
  const about = `part ${index} of the item ${item.index}`;
  if (slot.type === 'refusal') takeText(slot, part.refusal, about, taking);
  else if (slot.type === 'output_text' || slot.type === 'reasoning_text')
    takeText(slot, part.text, about, taking);
  else slot.value = taking.allowance.keep(part);
}

/** A text that is marked as complete, or, when its item or part was only just added, its beginning. */
export function takeText(slot: TextSlot, text: unknown, about: string, taking: Taking, shape?: string): void {
  const { notes, allowance, when } = taking;
  if (typeof text !== 'string') return;
  if (when === 'added') {
    if (text === '' || slot.final !== undefined) return;
    notes.oddity('begun-with-text', `${about} was added with text in it`, 'R16');
    slot.seed = allowance.spend(text);
    return;
  }
  const settling = settleText(slot, text);
  if (settling !== 'same' && slot.final === text) slot.final = allowance.spend(text);
  if (when === 'body') return;
  if (settling === 'only-now') notes.oddity('only-whole', `${about} came whole, without fragments`, shape);
  else if (settling === 'empty')
    notes.oddity('whole-empty', `${about} came in fragments, and empty as a whole`, 'R09');
  else if (settling === 'differs') notes.fault('text-differs', `${about} differs from its fragments`);
}

/** Characters of text, arguments and passed-on values together. */
const mostChars = foldLimits.textChars + foldLimits.argumentsChars;

export interface Allowance {
  /** The text, or as much of it as may still be kept. */
  spend(text: string): string;
  /** The value, or undefined where it would be too much. */
  keep<V>(value: V): V | undefined;
}

export function createAllowance(notes: FoldNotes): Allowance {
  let left = mostChars;
  const spend = (text: string): string => {
    const kept = text.length > left ? text.slice(0, left) : text;
    left -= kept.length;
    if (kept.length < text.length)
      notes.fault('too-large', `the answer has more than ${mostChars} characters`);
    return kept;
  };
  return {
    spend,
    keep: (value) => {
      const text = JSON.stringify(value) ?? '';
      return spend(text).length === text.length ? value : undefined;
    },
  };
}
