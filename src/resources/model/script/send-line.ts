/** Sends what a line says, in the dialect of the call, and at the pace that the line asks for. */
import type { Clock } from '../../../kernel/clock.ts';
import { createRandom } from '../../../kernel/random.ts';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import type { Question } from '../../../protocols/questions/question.ts';
import { readAsked } from '../../../protocols/shapes/asked.ts';
import type { WireAnswer } from '../../../protocols/shapes/shape.ts';
import { makeShaped, plainShape, shapeOf } from '../../../protocols/shapes/shape-table.ts';
import type { PrintAbout } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import { estimateInput } from '../estimate-usage.ts';
import { type Answered, addTo, type CallOutcome, type ModelCall } from '../model-call.ts';
import { headOf, jsonHeaders } from '../refuse-call.ts';
import type { ScriptLine } from '../script-line.ts';
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

/** A turn that goes out, and what it answers. */
interface Saying {
  readonly call: ModelCall;
  readonly line: ScriptLine;
  readonly turn: Turn;
  readonly about: PrintAbout;
  readonly context: LineContext;
}

export function sendLine(call: ModelCall, line: ScriptLine, context: LineContext): Answered {
  return line.afterMs === undefined || line.afterMs === 0
    ? sendNow(call, line, context)
    : pause(call, line.afterMs, context).then(() => sendNow(call, line, context));
}

function sendNow(call: ModelCall, line: ScriptLine, context: LineContext): Answered {
  const { dialect, request, reply } = call;
  if (line.error) return sendError(call, line.error);
  const about = printAbout(call, line, context);
  if (line.hangs) {
    reply.begin(200, answerHeaders(call));
    reply.breakOff('hang');
    return { status: 200, usage: null };
  }
  if (call.question !== undefined) return answerQuestion(call, call.question, line);
  const turn = lineTurn(line, dialect.name, request, context.seed);
  const saying = { call, line, turn, about, context };
  const isPlain = line.shape === undefined || line.shape === plainShape.id;
  context.keep?.(call, about.id, turn, isPlain);
  if (isPlain) return sendPlain(saying);
  const answer = shapedAnswer(saying);
  if (answer !== undefined) return sendShape(saying, answer);
  const what = `the shape ${line.shape} of its line does not fit this request and its answer, which was sent plainly`;
  return addTo(sendPlain(saying), (outcome) => ({ fault: { kind: 'unfit-shape', what }, ...outcome }));
}

function sendPlain({ call, line, turn, about, context: { clock } }: Saying): Answered {
  const { dialect, request, reply } = call;
  if (request.stream) return sendEvents(call, turn, about, { clock, paceMs: line.paceMs ?? 0 });
  reply.send(200, answerHeaders(call), JSON.stringify(dialect.printBody(turn, about)));
  return { status: 200, usage: turn.usage ?? null };
}

/** Undefined where the shape has nothing to do with this dialect, turn or request. */
function shapedAnswer({ call, line, turn, about, context }: Saying): WireAnswer | undefined {
  const { dialect, request, json, wire } = call;
  const shape = shapeOf(line.shape ?? '');
  if (shape === undefined || dialects[dialect.name] !== dialect) return undefined;
  const asked = readAsked(json, wire.headers, request);
  const random = createRandom(context.seed);
  return makeShaped(shape, { dialect: dialect.name, turn, about, streamed: request.stream, asked, random });
}

async function sendShape({ call, line: { paceMs }, turn }: Saying, answer: WireAnswer): Promise<CallOutcome> {
  const isTyped = answer.headers['content-type'] !== undefined;
  const headers = { ...(isTyped ? {} : jsonHeaders(call.dialect.name)), ...answer.headers };
  const pieces = answer.pieces.map((piece, index) =>
    paceMs === undefined || index === 0 || piece.afterMs !== undefined
      ? piece
      : { ...piece, afterMs: paceMs },
  );
  await call.reply.answer({ ...answer, headers, pieces });
  return { status: answer.status, usage: turn.usage ?? null };
}

async function pause({ reply }: ModelCall, ms: number, { clock }: LineContext): Promise<void> {
  await clock.sleep(ms, reply.gone).catch(() => undefined); // the consumer has gone, and what is written to it is dropped
}

export function answerQuestion(call: ModelCall, question: Question, line: ScriptLine = {}): CallOutcome {
  const { json: body, request, reply } = call;
  const usage = line.usage ?? { input: estimateInput(request), output: 0 };
  const answer = question.printAnswer({ body, request, tokens: usage.input, vectors: line.embeds });
  reply.send(200, headOf(call), JSON.stringify(answer));
  return { status: 200, usage: question.asks === 'count' ? nothingUsed : usage };
}

/** To count is free. */
const nothingUsed = { input: 0, output: 0 };
