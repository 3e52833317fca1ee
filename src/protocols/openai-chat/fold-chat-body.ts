/** Folds the JSON body of a chat completion, or of a refusal, to its turn. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { type ChatDraft, createChatDraft, readDelta } from './chat-draft.ts';
import { errorOf, isProperError, readChatError } from './chat-error.ts';
import { readChatUsage } from './chat-usage.ts';
import { settleChat } from './settle-chat.ts';

export function foldChatBody(body: unknown, status: number): FoldedTurn {
  const draft = createChatDraft();
  const notes = createFoldNotes('chat');
  if (!isMap(body)) notes.fault('body', `the body is ${shownValue(body)}, not an object`);
  else if (status >= 400 || errorOf(body) !== undefined) readRefusal(draft, body, status, notes);
  else readCompletion(draft, body, notes);
  const isRefusal = status >= 400;
  if (isRefusal) draft.error ??= { type: `http_${status}`, message: 'the provider gave no reason' };
  return settleChat(draft, notes, { streamed: false, over: true, properly: !isRefusal });
}

function readRefusal(draft: ChatDraft, body: JsonMap, status: number, notes: FoldNotes): void {
  const error = errorOf(body);
  if (error !== undefined) draft.error = readChatError(error);
  if (status < 400) {
    const shape = isProperError(error) ? 'C27' : 'C28';
    notes.fault('error-with-success', `the status is ${status}, and the body is an error`, shape);
  } else if (error === undefined)
    notes.fault('refusal', `the status is ${status}, and the body has no error`);
  else if (!isProperError(error)) notes.oddity('error-form', 'the error has no type or no message', 'C28');
}

function readCompletion(draft: ChatDraft, body: JsonMap, notes: FoldNotes): undefined {
  const { id, model, choices } = body;
  if (typeof id === 'string') draft.id = id;
  if (typeof model === 'string') draft.model = model;
  const usage = readChatUsage(body.usage, notes);
  if (usage !== undefined) draft.usage = usage;
  if (!Array.isArray(choices))
    return notes.fault('choices', `the choices are ${shownValue(choices)}, not a list`);
  const choice: unknown = choices.find((one) => isMap(one) && (one.index ?? 0) === 0);
  if (!isMap(choice) || !isMap(choice.message))
    return notes.fault('empty', 'the body has no first choice with a message');
  if (choices.length > 1) notes.oddity('other-choices', `there are ${choices.length} choices`, 'C38');
  readDelta(draft, choice.message, true, notes);
  const { finish_reason: word } = choice;
  if (typeof word === 'string' && word !== '') draft.finish = word;
  else notes.fault('no-finish', `the reason to stop is ${shownValue(word)}`, 'C25');
}
