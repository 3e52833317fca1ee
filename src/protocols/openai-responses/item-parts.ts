/** The parts of a turn that an item came to. */
import { defined } from '../../kernel/defined.ts';
import { readArguments } from '../openai-chat/call-arguments.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart } from '../turn/turn.ts';
import { type ContentSlot, type OpenItem, textOf as slotText } from './open-item.ts';
import { nameIn } from './read-input.ts';

/** With notes, what is missing is reported; without, more may come. */
export function itemParts(item: OpenItem, notes: FoldNotes | undefined): readonly FoldedPart[] {
  if (item.type === 'function_call') return [callPart(item, notes)];
  if (item.type === 'custom_tool_call')
    return [{ ...named(item, notes), argumentsText: slotText(item.input) }];
  if (item.type === 'reasoning') return [reasoningPart(item)];
  if (item.type === 'message') return inOrder(item.content).map(contentPart);
  return item.value === undefined ? [] : [{ kind: 'other', type: item.type ?? 'unknown', value: item.value }];
}

type Call = Extract<FoldedPart, { readonly kind: 'call' }>;

function named(item: OpenItem, notes: FoldNotes | undefined): Call {
  const { callId, id, name, namespace } = item;
  if (callId === undefined)
    notes?.fault('call-without-id', `the call of ${shownValue(name)} has no \`call_id\``);
  if (name === undefined)
    notes?.fault('call-without-name', `the call ${shownValue(callId ?? id)} has no name`);
  return defined({ kind: 'call', id: callId ?? id ?? '', name: nameIn(namespace, name ?? ''), namespace });
}

function callPart(item: OpenItem, notes: FoldNotes | undefined): Call {
  const call = named(item, notes);
  const text = slotText(item.input);
  const read = item.isDone ? readArguments(text) : { broken: 'cut' };
  if ('arguments' in read) return { ...call, arguments: read.arguments };
  if (!item.isIncomplete) {
    const how = item.isDone ? 'are not a JSON object' : 'are incomplete';
    notes?.fault('arguments-broken', `the arguments of ${shownValue(item.name)} ${how}: ${shownValue(text)}`);
  }
  return { ...call, argumentsText: text };
}

/** What only the provider can read has no text; what has a text is replayed with what the provider signed. */
function reasoningPart({ content, summary, encrypted }: OpenItem): FoldedPart {
  const texts = inOrder(content).map(slotText);
  const text = texts.length > 0 ? texts.join('') : inOrder(summary).map(slotText).join('\n\n');
  if (encrypted === undefined) return { kind: 'reasoning', text };
  return text === ''
    ? { kind: 'reasoning', text, redacted: encrypted }
    : { kind: 'reasoning', text, signature: encrypted };
}

function contentPart(slot: ContentSlot): FoldedPart {
  const { type = 'output_text' } = slot;
  if (type === 'output_text') return { kind: 'text', text: slotText(slot) };
  if (type === 'refusal') return { kind: 'refusal', text: slotText(slot) };
  return { kind: 'other', type, value: slot.value };
}

function inOrder<S>(slots: ReadonlyMap<number, S>): readonly S[] {
  return [...slots].sort(([a], [b]) => a - b).map(([, slot]) => slot);
}
