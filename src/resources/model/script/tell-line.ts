/** Sends what a line says, in the dialect of the call, and at the pace that the line asks for. */
import type { Clock } from '../../../kernel/clock.ts';
import { createRandom } from '../../../kernel/random.ts';
import { shapeOf } from '../../../protocols/shapes/shape-table.ts';
import type { PrintAbout } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { jsonHeaders, refuseCall } from '../refuse-call.ts';
import type { ScriptLine } from '../script-line.ts';
import { answerHeaders, printAbout } from './answer-words.ts';
import { lineTurn } from './line-turn.ts';
import { sendError } from './send-error.ts';
import { sendEvents } from './send-events.ts';

export interface Telling {
  readonly clock: Clock;
  /** Of this call alone. */
  readonly seed: string;
}

export function tellLine(
  call: ModelCall,
  line: ScriptLine,
  telling: Telling,
): CallOutcome | Promise<CallOutcome> {
  return line.afterMs === undefined || line.afterMs === 0
    ? tellNow(call, line, telling)
    : pause(call, line.afterMs, telling).then(() => tellNow(call, line, telling));
}

function tellNow(call: ModelCall, line: ScriptLine, telling: Telling): CallOutcome | Promise<CallOutcome> {
  const { dialect, request, reply } = call;
  if (line.error) return sendError(call, line.error);
  const about = printAbout(call, line, telling);
  if (line.hangs) {
    reply.begin(200, answerHeaders(call, about));
    reply.breakOff('hang');
    return { status: 200, usage: null };
  }
  const turn = lineTurn(line, dialect.name, request, telling.seed);
  if (line.shape !== undefined) return sendShape(call, line, turn, about, telling);
  if (request.stream)
    return sendEvents(call, turn, about, { clock: telling.clock, paceMs: line.paceMs ?? 0 });
  reply.send(200, answerHeaders(call, about), JSON.stringify(dialect.printBody(turn, about)));
  return { status: 200, usage: turn.usage ?? null };
}

/** A shape that has nothing to do with this dialect or turn cannot be told, and that speaks against the script. */
async function sendShape(
  call: ModelCall,
  { shape: id = '', paceMs }: ScriptLine,
  turn: Turn,
  about: PrintAbout,
  { seed }: Telling,
): Promise<CallOutcome> {
  const { dialect, request, reply } = call;
  const shape = shapeOf(id);
  const isOver = shape?.over.includes(dialect.name) === true;
  const input = { dialect: dialect.name, turn, about, streamed: request.stream, random: createRandom(seed) };
  const answer = isOver ? shape.make?.(input) : undefined;
  if (answer === undefined) {
    const why = isOver ? 'has nothing to say about this turn' : `is none of the dialect ${dialect.name}`;
    return refuseCall(call, { kind: 'unscripted', what: `the shape ${id} of its line ${why}` });
  }
  const headers = { ...jsonHeadersUnlessTold(call, answer.headers), ...answer.headers };
  const pieces = answer.pieces.map((piece, index) =>
    paceMs === undefined || index === 0 || piece.afterMs !== undefined
      ? piece
      : { ...piece, afterMs: paceMs },
  );
  await reply.answer({ ...answer, headers, pieces });
  return { status: answer.status, usage: turn.usage ?? null };
}

function jsonHeadersUnlessTold(
  { dialect }: ModelCall,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return headers['content-type'] === undefined ? jsonHeaders(dialect.name) : {};
}

async function pause({ reply }: ModelCall, ms: number, { clock }: Telling): Promise<void> {
  await clock
    .sleep(ms, reply.gone)
    .catch(() => 'the consumer has gone, and what is written to it is dropped');
}
