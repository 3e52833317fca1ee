/** Folds a Gemini answer: the chunks of a stream, or one JSON body, which may be a refusal. */
import { isMap } from '../../kernel/is-map.ts';
import type { TurnFold } from '../turn/dialect.ts';
import { readEventJson } from '../turn/event-json.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { type Answer, createAnswer, takeIn, turnOf } from './gemini-answer.ts';
import { readError } from './gemini-errors.ts';

export function createGeminiFold(): TurnFold {
  const answer = createAnswer();
  const { notes } = answer;
  let chunks = 0;
  let isOver = false;
  return {
    push: ({ data }) => {
      notes.event += 1;
      if (isOver || data === '') return;
      if (notes.event > foldLimits.events) {
        notes.fault('too-large', `the stream has more than ${foldLimits.events} events`);
        isOver = true;
        return;
      }
      chunks += 1;
      readChunk(answer, data);
      isOver = answer.error !== undefined;
    },
    end: (how) => {
      if (!isOver) judgeEnd(answer, chunks, how);
      isOver = true;
      return turnOf(answer, true);
    },
    soFar: () => turnOf(answer, true),
  };
}

function readChunk(answer: Answer, data: string): undefined {
  if (data === '[DONE]')
    return answer.notes.oddity('done-mark', 'the stream has the end mark `[DONE]` of another dialect');
  const chunk = readEventJson(data, answer.notes);
  if (chunk !== undefined) takeIn(answer, chunk, data.length);
}

/** The dialect has no end mark: the finish reason comes last. */
function judgeEnd(answer: Answer, chunks: number, how: 'end' | 'cut'): void {
  if (answer.finished || answer.error !== undefined) return;
  const ended = how === 'cut' ? 'the answer was cut off' : 'the answer ended';
  if (chunks === 0) answer.notes.fault('empty', `${ended} before its first chunk`);
  else answer.notes.fault('no-finish', `${ended} without \`finishReason\``, 'S27');
}

export function foldGeminiBody(body: unknown, status: number): FoldedTurn {
  const answer = createAnswer();
  const { notes } = answer;
  const isStream = Array.isArray(body);
  if (status >= 400) {
    answer.error = readError(body, status, notes);
    return turnOf(answer, false);
  }
  const chunks: readonly unknown[] = isStream ? body : [body];
  for (const chunk of chunks) {
    if (isStream) notes.event += 1;
    takeIn(answer, chunk, 0);
    if (answer.error !== undefined) break;
  }
  if (isMap(body) && body.error !== undefined)
    notes.fault('error-status', `an error came with the status ${status}`);
  judgeEnd(answer, chunks.length, 'end');
  return turnOf(answer, isStream);
}
