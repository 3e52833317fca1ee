/** From what has come of a chat completion to the turn that it is, with the rules that it breaks. */
import { lastOf } from '../../kernel/cut-text.ts';
import { defined } from '../../kernel/defined.ts';
import { createFoldNotes, type FoldNotes, foldedTurn, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart, FoldedTurn, StopReason, TurnError } from '../turn/turn.ts';
import { readArguments } from './call-arguments.ts';
import { type CallDraft, sortedCalls } from './call-book.ts';
import type { ChatDraft } from './chat-draft.ts';

export interface HowChatEnded {
  readonly streamed: boolean;
  /** Nothing more comes; until then, what is missing is not a fault. */
  readonly over: boolean;
  /** By the end that the dialect demands. */
  readonly properly: boolean;
}

/** Neither the draft nor the notes are changed: it can be called any number of times. */
export function settleChat(draft: ChatDraft, before: FoldNotes, how: HowChatEnded): FoldedTurn {
  const notes = createFoldNotes('chat', before);
  const calls = sortedCalls(draft.calls);
  const settling = { draft, notes, how };
  const { stop, error } = readStop(settling, calls.length > 0);
  const parts = readParts(settling, calls);
  return foldedTurn('openai-chat', notes, {
    ...draft,
    streamed: how.streamed,
    ended: how.properly && stop !== null,
    parts,
    stop,
    ...defined({ stopWord: draft.finish, error: draft.error ?? error }),
  });
}

const stopWords: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filter',
};

/** Reasons outside the specification that report a failure, such as `network_error` and `malformed_function_call`. */
const failureWord = /error|malformed|fail|abort|cancel|timeout/i;

interface Settling {
  readonly draft: ChatDraft;
  readonly notes: FoldNotes;
  readonly how: HowChatEnded;
}

interface ReadStop {
  readonly stop: StopReason | null;
  readonly error?: TurnError;
}

function readStop({ draft, notes, how }: Settling, hasCalls: boolean): ReadStop {
  const { finish: word } = draft;
  if (word === undefined) return { stop: null };
  const known = Object.hasOwn(stopWords, word) ? stopWords[word] : undefined;
  if (known === undefined) return readUnknownStop(word, hasCalls, notes);
  if (known === 'end' && hasCalls) return stopWithCalls(word, notes);
  if (known === 'end' && draft.refusal !== '') return { stop: 'refusal' };
  if (known === 'tool-calls' && !hasCalls && how.over)
    notes.fault('word-without-calls', `the reason to stop is ${shownValue(word)}, and no call came`, 'C18');
  return { stop: known };
}

function readUnknownStop(word: string, hasCalls: boolean, notes: FoldNotes): ReadStop {
  notes.oddity('unknown-word', `the reason to stop is ${shownValue(word)}`, 'C20');
  if (failureWord.test(word))
    return { stop: 'other', error: { type: word, message: `the provider stopped with ${shownValue(word)}` } };
  return hasCalls ? stopWithCalls(word, notes) : { stop: 'other' };
}

function stopWithCalls(word: string, notes: FoldNotes): ReadStop {
  const what = `there are tool calls, and the reason to stop is ${shownValue(word)}`;
  notes.oddity('calls-without-word', what, 'C17');
  return { stop: 'tool-calls' };
}

function readParts(settling: Settling, calls: readonly CallDraft[]): readonly FoldedPart[] {
  const { draft } = settling;
  const parts: FoldedPart[] = [];
  if (draft.reasoning !== '') parts.push({ kind: 'reasoning', text: draft.reasoning });
  if (draft.text !== '') parts.push({ kind: 'text', text: draft.text });
  if (draft.refusal !== '') parts.push({ kind: 'refusal', text: draft.refusal });
  const ids = new Set<string>();
  for (const call of calls) parts.push(readCall(call, ids, settling));
  parts.push(...draft.others);
  return parts;
}

function readCall(call: CallDraft, ids: Set<string>, { draft, notes, how: { over } }: Settling): FoldedPart {
  const { id, name, text } = call;
  if (over && name === '') notes.fault('call-without-name', `call ${call.index} has no name`);
  if (call.kind !== 'legacy' && (id === '' || ids.has(id)))
    notes.oddity('call-id', `call ${call.index} has the id ${shownValue(id)}`, 'C39');
  ids.add(id);
  if (call.kind === 'custom') return { kind: 'other', type: 'custom', value: { id, name, input: text } };
  const read = readArguments(text);
  if (text !== '' && /^\s*(?:null\s*)?$/.test(text))
    notes.oddity('no-arguments', `the arguments of call ${call.index} are ${shownValue(text)}`, 'C15');
  if ('arguments' in read) return { kind: 'call', id, name, arguments: read.arguments };
  // A model that may say no more stops in the middle of the arguments, too; that is legal, and no call to make.
  const mayBeCut = read.broken === 'cut' && (draft.finish === 'length' || draft.finish === 'content_filter');
  if (over && !mayBeCut && draft.error === undefined) noteBrokenArguments(call, read.broken, notes);
  return { kind: 'call', id, name, argumentsText: text };
}

const brokenShapes = { cut: 'C26', several: 'C13', 'no-object': undefined, 'too-deep': undefined } as const;

function noteBrokenArguments(call: CallDraft, broken: keyof typeof brokenShapes, notes: FoldNotes): void {
  const what = {
    cut: 'are cut off',
    several: 'are several objects',
    'no-object': 'are not a JSON object',
    'too-deep': 'are nested too deep',
  }[broken];
  const tail = shownValue(lastOf(call.text, 60));
  notes.fault(
    `arguments-${broken}`,
    `the arguments of call ${call.index} ${what}; they end with ${tail}`,
    brokenShapes[broken],
  );
}
