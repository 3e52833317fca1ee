/** Folds the chunks of a streamed Gemini answer. */
import type { TurnFold } from '../turn/dialect.ts';
import { readEventJson } from '../turn/event-json.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type Answer, createAnswer, foldedTurn, takeIn } from './gemini-answer.ts';

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
      return foldedTurn(answer, true);
    },
    soFar: () => foldedTurn(answer, true),
  };
}

function readChunk(answer: Answer, data: string): undefined {
  if (data === '[DONE]')
    return answer.notes.oddity('done-mark', 'the stream has the end mark `[DONE]` of another dialect');
  const chunk = readEventJson(data, answer.notes);
  if (chunk !== undefined) takeIn(answer, chunk, data.length);
}

/** The dialect has no end mark: the finish reason comes last. */
export function judgeEnd(answer: Answer, chunks: number, how: 'end' | 'cut'): void {
  if (answer.finished || answer.error !== undefined) return;
  const ended = how === 'cut' ? 'the answer was cut off' : 'the answer ended';
  if (chunks === 0) answer.notes.fault('empty', `${ended} before its first chunk`);
  else answer.notes.fault('no-finish', `${ended} without \`finishReason\``, 'S27');
}
