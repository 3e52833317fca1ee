/** Sends what a line says, in the dialect of the call, and at the pace that the line asks for. */
import type { Clock } from '../../../kernel/clock.ts';
import { createRandom } from '../../../kernel/random.ts';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import { readAsked } from '../../../protocols/shapes/asked.ts';
import type { WireAnswer } from '../../../protocols/shapes/shape.ts';
import { makeShaped, plainShape, shapeOf } from '../../../protocols/shapes/shape-table.ts';
import type { PrintAbout } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { jsonHeaders } from '../refuse-call.ts';
import type { ScriptLine } from '../script-line.ts';
import { answerQuestion } from './answer-question.ts';
import { answerHeaders, printAbout } from './answer-words.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { lineTurn } from './line-turn.ts';
import { sendError } from './send-error.ts';
import { sendEvents } from './send-events.ts';

export interface LineContext {
  readonly clock: Clock;
  /** Of this call alone. */
  readonly seed: string;
  /** Called for each turn, with the id under which it was sent. */
  readonly keep?: KeptAnswers['keep'];
}

export function sendLine(
  call: ModelCall,
  line: ScriptLine,
  reporting: LineContext,
): CallOutcome | Promise<CallOutcome> {
  return line.afterMs === undefined || line.afterMs === 0
    ? sendNow(call, line, reporting)
    : pause(call, line.afterMs, reporting).then(() => sendNow(call, line, reporting));
}

function sendNow(
  call: ModelCall,
  line: ScriptLine,
  reporting: LineContext,
): CallOutcome | Promise<CallOutcome> {
  const { dialect, request, reply } = call;
  if (line.error) return sendError(call, line.error);
  const about = printAbout(call, line, reporting);
  if (line.hangs) {
    reply.begin(200, answerHeaders(call));
    reply.breakOff('hang');
    return { status: 200, usage: null };
  }
  if (call.question !== undefined) return answerQuestion(call, call.question, line);
  const turn = lineTurn(line, dialect.name, request, reporting.seed);
  const isPlain = line.shape === undefined || line.shape === plainShape.id;
  reporting.keep?.(call, about.id, turn, isPlain);
  if (isPlain) return sendPlain(call, line, turn, about, reporting);
  const answer = shapedAnswer(call, line, turn, about, reporting);
  if (answer !== undefined) return sendShape(call, line, turn, answer);
  const what = `the shape ${line.shape} of its line does not fit this request and its answer, which was sent plainly`;
  const fault = { kind: 'unfit-shape', what } as const;
  const sent = sendPlain(call, line, turn, about, reporting);
  return sent instanceof Promise ? sent.then((outcome) => ({ fault, ...outcome })) : { fault, ...sent };
}

function sendPlain(
  call: ModelCall,
  line: ScriptLine,
  turn: Turn,
  about: PrintAbout,
  { clock }: LineContext,
): CallOutcome | Promise<CallOutcome> {
  const { dialect, request, reply } = call;
  if (request.stream) return sendEvents(call, turn, about, { clock, paceMs: line.paceMs ?? 0 });
  reply.send(200, answerHeaders(call), JSON.stringify(dialect.printBody(turn, about)));
  return { status: 200, usage: turn.usage ?? null };
}

/** Undefined where the shape has nothing to do with this dialect, turn or request. */
function shapedAnswer(
  { dialect, request, json, wire }: ModelCall,
  { shape: id = '' }: ScriptLine,
  turn: Turn,
  about: PrintAbout,
  { seed }: LineContext,
): WireAnswer | undefined {
  const shape = shapeOf(id);
  if (shape === undefined || dialects[dialect.name] !== dialect) return undefined;
  const asked = readAsked(json, wire.headers, request);
  const random = createRandom(seed);
  return makeShaped(shape, { dialect: dialect.name, turn, about, streamed: request.stream, asked, random });
}

async function sendShape(
  call: ModelCall,
  { paceMs }: ScriptLine,
  turn: Turn,
  answer: WireAnswer,
): Promise<CallOutcome> {
  const { reply } = call;
  const headers = { ...jsonHeadersUnlessSet(call, answer.headers), ...answer.headers };
  const pieces = answer.pieces.map((piece, index) =>
    paceMs === undefined || index === 0 || piece.afterMs !== undefined
      ? piece
      : { ...piece, afterMs: paceMs },
  );
  await reply.answer({ ...answer, headers, pieces });
  return { status: answer.status, usage: turn.usage ?? null };
}

function jsonHeadersUnlessSet(
  { dialect }: ModelCall,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return headers['content-type'] === undefined ? jsonHeaders(dialect.name) : {};
}

async function pause({ reply }: ModelCall, ms: number, { clock }: LineContext): Promise<void> {
  await clock.sleep(ms, reply.gone).catch(() => undefined); // the consumer has gone, and what is written to it is dropped
}
