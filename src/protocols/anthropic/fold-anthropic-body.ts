/** Folds the one JSON body of an Anthropic answer, a turn or a refusal. */
import { isMap } from '../../kernel/is-map.ts';
import { shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { readError } from './anthropic-errors.ts';
import { createMessage, foldedTurn, judgeEnd, readHead } from './anthropic-message.ts';

export function foldAnthropicBody(body: unknown, status: number): FoldedTurn {
  const message = createMessage();
  const { notes } = message;
  const isRefused = status >= 400;
  if (isRefused || (isMap(body) && (body.type === 'error' || isMap(body.error)))) {
    message.error = readError(body, status, notes);
    if (!isRefused) notes.fault('error-status', `an error came with the status ${status}`);
    return foldedTurn(message, false);
  }
  if (!isMap(body)) {
    notes.fault('body-form', `the body is ${shownValue(body)}, not a message`);
    return foldedTurn(message, false);
  }
  if (body.type !== 'message')
    notes.fault('body-form', `the body has the type ${shownValue(body.type)}, not "message"`);
  if (!Array.isArray(body.content)) notes.fault('body-form', 'the message has no content');
  if (body.usage === undefined) notes.oddity('no-usage', 'the message has no usage');
  readHead(message, body);
  if (message.stopWord === undefined) notes.fault('no-stop-reason', 'the message does not say why it ended');
  judgeEnd(message);
  message.ended = true;
  return foldedTurn(message, false);
}
