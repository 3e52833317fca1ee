/** Folds a chat completion to its turn: the events of a stream, or one JSON body, which may be a refusal. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { TurnFold } from '../turn/dialect.ts';
import { readEventJson } from '../turn/event-json.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { type ChatDraft, createChatDraft, readDelta } from './chat-draft.ts';
import { errorOf, isProperError, readChatError } from './chat-error.ts';
import { readChatUsage } from './chat-usage.ts';
import { settleChat } from './settle-chat.ts';

interface StreamState {
  readonly draft: ChatDraft;
  readonly notes: FoldNotes;
  /** Choices after the first, and whether they have a finish reason. */
  readonly others: Map<number, boolean>;
  done: boolean;
  sawChoice: boolean;
  /** Content came after a reason to stop: the reason alone does not say that all is there. */
  wentOn: boolean;
  /** Something of the turn has come. */
  came: boolean;
}

export function createChatFold(): TurnFold {
  const state: StreamState = {
    draft: createChatDraft(),
    notes: createFoldNotes('chat'),
    others: new Map(),
    done: false,
    sawChoice: false,
    wentOn: false,
    came: false,
  };
  return {
    push: ({ event, data }) => readEvent(state, event, data),
    end: (how) => settleStream(state, how),
    soFar: () => (state.done ? settleStream(state, 'end') : settleOpen(state)),
  };
}

function readEvent(state: StreamState, event: string | undefined, data: string): undefined {
  const { notes } = state;
  notes.event += 1;
  if (notes.event > foldLimits.events)
    return notes.fault('too-many-events', `there are more than ${foldLimits.events} events`);
  if (data === '[DONE]' || (data.length < 16 && data.trim() === '[DONE]')) {
    if (state.done) notes.oddity('done-twice', 'the end mark came twice');
    state.done = true;
    return;
  }
  const chunk = readEventJson(data, notes);
  if (chunk === undefined) return;
  const error = errorOf(chunk) ?? (event === 'error' ? chunk : undefined);
  if (error !== undefined) readFailure(state, error);
  else readChunk(state, chunk);
}

/** A reported failure breaks no rule; one in another form than the provider's own is odd. */
function readFailure({ draft, notes }: StreamState, error: unknown): void {
  draft.error ??= readChatError(error);
  if (!isProperError(error)) notes.oddity('error-form', 'an error has no type or no message', 'C28');
}

function readChunk(state: StreamState, chunk: JsonMap): void {
  const { draft, notes } = state;
  const { choices } = chunk;
  if (draft.id === undefined) readHead(draft, chunk);
  if (choices === undefined || choices === null) notes.oddity('no-choices', 'a chunk has no choices', 'C02');
  else if (!Array.isArray(choices))
    notes.fault('choices', `the choices are ${shownValue(choices)}, not a list`);
  else {
    if (state.done) noteAfterDone(notes, choices.length > 0);
    else for (const choice of choices) readChoice(state, choice);
  }
  const usage = readChatUsage(chunk.usage, notes);
  if (usage === undefined) return;
  // Usage that comes with several chunks is the sum so far each time: the last one counts.
  draft.usage = usage;
  if (Array.isArray(choices) && choices.length > 0)
    notes.oddity('usage-with-choice', 'usage came with a chunk that has a choice', 'C35');
}

function readHead(draft: ChatDraft, { id, model }: JsonMap): void {
  if (typeof id === 'string' && id !== '') draft.id = id.slice(0, foldLimits.nameChars);
  if (typeof model === 'string' && model !== '') draft.model = model.slice(0, foldLimits.nameChars);
}

function noteAfterDone(notes: FoldNotes, hasChoice: boolean): void {
  if (hasChoice) notes.fault('after-done', 'a choice came after the end mark');
  else notes.oddity('after-done', 'a chunk came after the end mark');
}

function readChoice(state: StreamState, choice: unknown): undefined {
  const { notes } = state;
  if (!isMap(choice)) return notes.fault('choice', `a choice is ${shownValue(choice)}`);
  const { index = 0, finish_reason: word } = choice;
  if (index !== 0 && index !== null) {
    readOtherChoice(state, index, word);
    return;
  }
  state.sawChoice = true;
  const came = readChoiceDelta(state, choice);
  if (came && state.draft.finish !== undefined) {
    state.wentOn = true;
    notes.oddity('went-on', 'content came after a reason to stop', 'C22');
  }
  state.came ||= came;
  const finish = readFinish(word, notes);
  if (finish !== undefined) state.draft.finish = finish;
}

function readChoiceDelta({ draft, notes, came }: StreamState, choice: JsonMap): boolean {
  const { delta, message } = choice;
  if (isMap(delta)) {
    if (isMap(message)) notes.oddity('delta-and-message', 'a choice has a delta and a message', 'C37');
    return readDelta(draft, delta, false, notes);
  }
  if (delta !== undefined && delta !== null) {
    notes.fault('delta', `a delta is ${shownValue(delta)}`);
    return false;
  }
  if (!isMap(message) || came) return false;
  notes.oddity('message-for-delta', 'a choice of the stream has a message instead of a delta');
  return readDelta(draft, message, true, notes);
}

function readFinish(word: unknown, notes: FoldNotes): string | undefined {
  if (word === null || word === undefined) return undefined;
  if (word === '') return notes.oddity('empty-word', 'the reason to stop is an empty text', 'C19');
  if (typeof word === 'string') return word.slice(0, foldLimits.nameChars);
  return notes.fault('finish', `the reason to stop is ${shownValue(word)}`);
}

function readOtherChoice({ others, notes }: StreamState, index: unknown, word: unknown): undefined {
  if (!Number.isSafeInteger(index) || (index as number) < 0)
    return notes.fault('choice-index', `the index of a choice is ${shownValue(index)}`);
  const at = index as number;
  if (!others.has(at) && others.size >= foldLimits.choices)
    return notes.fault('too-many-choices', `there are more than ${foldLimits.choices} choices`);
  notes.oddity('other-choices', 'there are several choices, and the first one is the turn', 'C38');
  others.set(at, (others.get(at) ?? false) || (typeof word === 'string' && word !== ''));
}

function settleOpen({ draft, notes }: StreamState): FoldedTurn {
  return settleChat(draft, notes, { streamed: true, over: false, properly: false });
}

function settleStream(state: StreamState, how: 'end' | 'cut'): FoldedTurn {
  const { draft, done } = state;
  const notes = createFoldNotes('chat', state.notes);
  // A reported failure already says that the turn is incomplete.
  if (draft.error === undefined) noteEnd(state, how, notes);
  return settleChat(draft, notes, { streamed: true, over: true, properly: done || how === 'end' });
}

function noteEnd(state: StreamState, how: 'end' | 'cut', notes: FoldNotes): void {
  const { draft, done, wentOn, others } = state;
  if (!done && how === 'cut') notes.fault('cut', 'the connection broke before the end mark', 'S27');
  if (draft.finish === undefined) noteNoFinish(state, notes);
  else if (!done && wentOn)
    notes.fault('no-end', 'content followed the reason to stop, and no end mark came', 'C25');
  for (const [index, finished] of others) {
    if (!finished) notes.fault('no-finish', `choice ${index} has no reason to stop`, 'C38');
  }
}

function noteNoFinish({ sawChoice, done }: StreamState, notes: FoldNotes): void {
  if (!sawChoice) notes.fault('empty', 'the stream has no choice at all');
  if (done) notes.fault('no-finish', 'the end mark came, and no reason to stop', 'C24');
  else notes.fault('no-finish', 'the stream ended without a reason to stop', 'C25');
}

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
