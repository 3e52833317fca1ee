/** Folds the one JSON body of a Gemini answer: a turn, the list of chunks of a stream without events, or a refusal. */
import { isMap } from '../../kernel/is-map.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { judgeEnd } from './fold-gemini-events.ts';
import { createAnswer, foldedTurn, takeIn } from './gemini-answer.ts';
import { readError } from './gemini-errors.ts';

export function foldGeminiBody(body: unknown, status: number): FoldedTurn {
  const answer = createAnswer();
  const { notes } = answer;
  const isStream = Array.isArray(body);
  if (status >= 400) {
    answer.error = readError(body, status, notes);
    return foldedTurn(answer, false);
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
  return foldedTurn(answer, isStream);
}
