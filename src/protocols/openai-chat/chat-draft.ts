/** What of the first choice of a chat completion has come so far, from deltas or from a whole message. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { TurnError, TurnPart, Usage } from '../turn/turn.ts';
import { type CallBook, createCallBook, readCalls, readLegacyCall } from './call-book.ts';

export interface ChatDraft {
  id?: string;
  model?: string;
  text: string;
  reasoning: string;
  refusal: string;
  readonly others: Extract<TurnPart, { readonly kind: 'other' }>[];
  readonly calls: CallBook;
  finish?: string;
  usage?: Usage;
  error?: TurnError;
}

export function createChatDraft(): ChatDraft {
  return { text: '', reasoning: '', refusal: '', others: [], calls: createCallBook() };
}

/** Whether it carried anything of the turn. `isWhole`: the message of a body, or a message where a delta belongs. */
export function readDelta(draft: ChatDraft, delta: JsonMap, isWhole: boolean, notes: FoldNotes): boolean {
  const { content, refusal, tool_calls: calls, function_call: legacy } = delta;
  let came = readReasoning(draft, delta, notes);
  if (typeof content === 'string') came = addText(draft, 'text', content, notes) || came;
  else if (Array.isArray(content)) came = readContentParts(draft, content, notes) || came;
  else if (content !== undefined && content !== null)
    notes.fault('content', `the content is ${shownValue(content)}`);
  if (typeof refusal === 'string') came = addText(draft, 'refusal', refusal, notes) || came;
  if (Array.isArray(calls)) {
    if (calls.length === 0 && !isWhole)
      notes.oddity('empty-calls', 'a delta has an empty list of tool calls', 'C33');
    readCalls(draft.calls, calls, isWhole, notes);
    came ||= calls.length > 0;
  } else if (calls !== undefined && calls !== null)
    notes.fault('calls-no-list', `the tool calls are ${shownValue(calls)}`);
  if (isMap(legacy)) {
    readLegacyCall(draft.calls, legacy, notes);
    came = true;
  }
  return came;
}

/** Servers that think aloud use one of two names; some use both for the same text. */
function readReasoning(draft: ChatDraft, delta: JsonMap, notes: FoldNotes): boolean {
  const { reasoning_content: first, reasoning: second } = delta;
  if (first === undefined && second === undefined) return false;
  const text = typeof first === 'string' && first !== '' ? first : second;
  if (typeof text === 'string' && text !== '') {
    const field = text === first ? 'reasoning_content' : 'reasoning';
    notes.oddity('reasoning', `reasoning comes as \`${field}\``, 'C30');
    return addText(draft, 'reasoning', text, notes);
  }
  if (first === '' || second === '') notes.oddity('empty-reasoning', 'reasoning comes empty', 'C31');
  return false;
}

function addText(
  draft: ChatDraft,
  field: 'text' | 'reasoning' | 'refusal',
  piece: string,
  notes: FoldNotes,
): boolean {
  const room = foldLimits.textChars - draft[field].length;
  if (piece.length > room)
    notes.fault('too-large', `the ${field} has more than ${foldLimits.textChars} characters`, 'S28');
  draft[field] += piece.length > room ? piece.slice(0, room) : piece;
  return piece !== '';
}

/** Mistral and others send the content as a list of parts, thinking among them. */
function readContentParts(draft: ChatDraft, parts: readonly unknown[], notes: FoldNotes): boolean {
  notes.oddity('content-parts', 'the content is a list of parts', 'C29');
  let came = false;
  for (const part of parts) {
    if (typeof part === 'string') came = addText(draft, 'text', part, notes) || came;
    else if (isMap(part)) came = readContentPart(draft, part, notes) || came;
    else notes.fault('content', `a part of the content is ${shownValue(part)}`);
  }
  return came;
}

function readContentPart(draft: ChatDraft, part: JsonMap, notes: FoldNotes): boolean {
  const { type, text, refusal } = part;
  if (type === 'thinking' || type === 'reasoning') {
    const inner = part.thinking ?? part.reasoning ?? text;
    const pieces = Array.isArray(inner) ? inner.map((one) => (isMap(one) ? one.text : one)) : [inner];
    const thought = pieces.filter((piece) => typeof piece === 'string').join('');
    return addText(draft, 'reasoning', thought, notes);
  }
  if (type === 'refusal' && typeof refusal === 'string') return addText(draft, 'refusal', refusal, notes);
  if (typeof text === 'string') return addText(draft, 'text', text, notes);
  if (draft.others.length < mostOthers) {
    draft.others.push({ kind: 'other', type: shownType(type), value: smallValue(part) });
  }
  return true;
}

const mostOthers = 16;
const mostOtherChars = 64 * 1024;

function shownType(type: unknown): string {
  return typeof type === 'string' ? type.slice(0, foldLimits.nameChars) : 'unknown';
}

/** Images and the like are reported by their type alone where they are large. */
function smallValue(part: JsonMap): JsonMap | null {
  return !isTooDeep(part) && JSON.stringify(part).length <= mostOtherChars ? part : null;
}
