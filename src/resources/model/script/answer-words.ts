/** What an answer has besides its turn: id, date, headers. */
import { isMap } from '../../../kernel/is-map.ts';
import type { PrintAbout } from '../../../protocols/turn/dialect.ts';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import { drawId } from '../draw-id.ts';
import type { ModelCall } from '../model-call.ts';
import { headOf, idHeader } from '../refuse-call.ts';
import type { ScriptLine } from '../script-line.ts';
import type { LineContext } from './send-line.ts';

/** About what providers send at a time. */
const usualPieceChars = 20;

const idPrefixes: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'chatcmpl-',
  'openai-responses': 'resp_',
  anthropic: 'msg_01',
  gemini: '',
};

export function printAbout(
  { dialect, request, json }: ModelCall,
  { pieceChars }: ScriptLine,
  { seed, clock }: LineContext,
): PrintAbout {
  return {
    id: `${idPrefixes[dialect.name]}${drawId(seed)}`,
    model: request.model ?? 'unknown',
    createdAt: Math.floor(clock.now() / 1_000),
    wantsUsage: request.wantsUsage,
    pieceChars: pieceChars ?? usualPieceChars,
    choices: request.choices ?? 1,
    request: isMap(json) ? json : {},
  };
}

/** Gemini streams events only to clients that ask for them, and a JSON list to all others. */
export function isArrayStream({ dialect, request, wire }: ModelCall): boolean {
  return dialect.name === 'gemini' && request.stream && wire.query.alt !== 'sse';
}

export function answerHeaders(call: ModelCall): Readonly<Record<string, string>> {
  const { dialect, request, requestId } = call;
  if (!request.stream || isArrayStream(call)) return headOf(call);
  return { ...streamHeaders, ...idHeader(dialect.name, requestId) };
}

const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
