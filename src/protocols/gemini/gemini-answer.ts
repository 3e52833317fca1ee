/** What has arrived of a Gemini answer: each body or chunk is added, and the turn can be read at any time. */
import { cutText } from '../../kernel/cut-text.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { createFoldNotes, type FoldNotes, foldedTurn, shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn, TurnError, Usage } from '../turn/turn.ts';
import { readError } from './gemini-errors.ts';
import { createPartList, type PartList } from './gemini-parts.ts';
import { readUsage, stopOfWord } from './gemini-words.ts';

export interface Answer {
  readonly notes: FoldNotes;
  readonly parts: PartList;
  usage: Usage | null;
  id?: string;
  model?: string;
  stopWord?: string;
  /** A finish reason came, and nothing after it. */
  finished: boolean;
  error?: TurnError;
}

export function createAnswer(): Answer {
  const notes = createFoldNotes('gemini');
  return { notes, parts: createPartList(notes), usage: null, finished: false };
}

/** `size` is what it took on the wire, in characters. */
export function takeIn(answer: Answer, chunk: unknown, size: number): undefined {
  const { notes } = answer;
  if (!isMap(chunk)) return notes.fault('chunk-form', `a chunk is ${shownValue(chunk)}, not an object`);
  if (chunk.error !== undefined) {
    answer.error = readError(chunk, 0, notes);
    return;
  }
  if (typeof chunk.responseId === 'string') answer.id = chunk.responseId.slice(0, foldLimits.nameChars);
  if (typeof chunk.modelVersion === 'string')
    answer.model = chunk.modelVersion.slice(0, foldLimits.nameChars);
  answer.usage = readUsage(chunk.usageMetadata) ?? answer.usage;
  if (isMap(chunk.promptFeedback)) readFeedback(answer, chunk.promptFeedback);
  if (chunk.candidates === undefined) return;
  const candidate = Array.isArray(chunk.candidates) ? chunk.candidates.find(isFirst) : undefined;
  if (candidate !== undefined) readCandidate(answer, candidate, size);
  else if (!Array.isArray(chunk.candidates))
    notes.fault('candidates-form', `\`candidates\` is ${shownValue(chunk.candidates)}, not a list`);
}

/** Others are asked for with `candidateCount`, and are answers of their own. */
function isFirst(candidate: unknown): candidate is JsonMap {
  return isMap(candidate) && (candidate.index === undefined || candidate.index === 0);
}

/** The prompt was blocked, and nothing is answered. */
function readFeedback(answer: Answer, { blockReason, blockReasonMessage }: JsonMap): void {
  if (typeof blockReason !== 'string') return;
  const message = typeof blockReasonMessage === 'string' ? blockReasonMessage : 'the prompt was blocked';
  answer.stopWord = blockReason.slice(0, foldLimits.nameChars);
  answer.error = {
    type: answer.stopWord,
    message: cutText(message, foldLimits.nameChars),
    code: 'blockReason',
  };
}

function readCandidate(answer: Answer, { content, finishReason }: JsonMap, size: number): void {
  const { notes, parts } = answer;
  const wasFinished = answer.finished;
  if (isMap(content) && Array.isArray(content.parts)) {
    if (parts.add(content.parts, size) && wasFinished) {
      notes.oddity('content-after-finish', 'content came after the reason of the end', 'G03');
      answer.finished = false;
    }
  } else if (content !== undefined && content !== null && (!isMap(content) || content.parts !== undefined))
    notes.fault(
      'content-form',
      `the content of a candidate is ${shownValue(content)} without a list of parts`,
    );
  if (typeof finishReason === 'string' && finishReason !== '') {
    answer.stopWord = finishReason.slice(0, foldLimits.nameChars);
    answer.finished = true;
    if (content === undefined) notes.oddity('finish-alone', 'the end has no content', 'G01');
  } else if (finishReason !== undefined && finishReason !== null)
    notes.fault('field-type', `\`finishReason\` is ${shownValue(finishReason)}, not a string`);
}

export function turnOf(answer: Answer, streamed: boolean): FoldedTurn {
  const parts = answer.parts.list();
  const about = { ...answer, streamed, ended: answer.finished, parts, stop: stopOf(answer) };
  return foldedTurn('gemini', answer.notes, about);
}

function stopOf({ stopWord, error, parts }: Answer): FoldedTurn['stop'] {
  if (stopWord === undefined) return null;
  return error?.code === 'blockReason' ? 'filter' : stopOfWord(stopWord, parts.hasCalls());
}
