/** Prints a turn as the events of a streamed answer, in the plainest legal shape. */
import { cutText } from '../turn/cut-text.ts';
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn } from '../turn/turn.ts';
import { printItems, printResponse, responseEnd, responseFrame } from './print-response.ts';

/** An event before it has its number. */
export type DraftEvent = JsonObject & { readonly type: string };

export function printResponsesEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  return numbered(draftEvents(turn, about));
}

/** The events one by one, for code that changes them before they are numbered. */
export function draftEvents(turn: Turn, about: PrintAbout): readonly DraftEvent[] {
  const response = responseFrame(about);
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...printItems(turn, about).flatMap((item, index) => draftItem(item, index, about.pieceChars)),
    { type: `response.${responseEnd(turn).status}`, response: printResponse(turn, about) },
  ];
}

export function numbered(drafts: readonly DraftEvent[]): readonly PrintedEvent[] {
  return drafts.map(({ type, ...rest }, number) => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: number, ...rest }),
  }));
}

export function draftItem(item: JsonObject, index: number, pieceChars: number): readonly DraftEvent[] {
  const place = { item_id: item.id, output_index: index };
  return [
    { type: 'response.output_item.added', output_index: index, item: begun(item) },
    ...draftInside(item, place, pieceChars),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** The item as it is when it is added: without what is streamed. */
function begun(item: JsonObject): JsonObject {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  if (item.type === 'custom_tool_call') return { ...item, input: '' };
  return item.type === 'reasoning' ? { ...item, summary: [] } : item;
}

function draftInside(item: JsonObject, place: JsonObject, pieceChars: number): readonly DraftEvent[] {
  if (item.type === 'function_call') {
    const text = String(item.arguments);
    const whole = { name: item.name, arguments: text };
    return draftText('response.function_call_arguments', place, text, pieceChars, whole);
  }
  if (item.type === 'custom_tool_call') {
    const text = String(item.input);
    return draftText('response.custom_tool_call_input', place, text, pieceChars, { input: item.input });
  }
  if (item.type === 'message')
    return listOf(item.content).flatMap((part, k) =>
      draftPart(part, { ...place, content_index: k }, pieceChars),
    );
  if (item.type !== 'reasoning') return [];
  return listOf(item.summary).flatMap((part, k) =>
    draftSummary(part, { ...place, summary_index: k }, pieceChars),
  );
}

/** In pieces, and then again as a whole. */
function draftText(
  type: string,
  place: JsonObject,
  text: string,
  pieceChars: number,
  whole: JsonObject,
  more: JsonObject = {},
): readonly DraftEvent[] {
  return [
    ...cutText(text, pieceChars).map((delta) => ({ type: `${type}.delta`, ...place, delta, ...more })),
    { type: `${type}.done`, ...place, ...whole, ...more },
  ];
}

function draftPart(part: JsonObject, place: JsonObject, pieceChars: number): readonly DraftEvent[] {
  const isRefusal = part.type === 'refusal';
  const key = isRefusal ? 'refusal' : 'text';
  const type = isRefusal ? 'response.refusal' : 'response.output_text';
  const text = String(part[key]);
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, [key]: '' } },
    ...draftText(type, place, text, pieceChars, { [key]: text }, isRefusal ? {} : { logprobs: [] }),
    { type: 'response.content_part.done', ...place, part },
  ];
}

function draftSummary(part: JsonObject, place: JsonObject, pieceChars: number): readonly DraftEvent[] {
  const text = String(part.text);
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
    ...draftText('response.reasoning_summary_text', place, text, pieceChars, { text }),
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ];
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
