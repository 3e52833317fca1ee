/** Answers a question other than a turn: from the request alone, unless a line says otherwise. */
import type { Question } from '../../../protocols/questions/question.ts';
import { estimateInput } from '../estimate-usage.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { headOf } from '../refuse-call.ts';
import type { ScriptLine } from '../script-line.ts';

export function answerQuestion(call: ModelCall, question: Question, line: ScriptLine = {}): CallOutcome {
  const { json: body, request, reply } = call;
  const usage = line.usage ?? { input: estimateInput(request), output: 0 };
  const answer = question.printAnswer({ body, request, tokens: usage.input, vectors: line.embeds });
  reply.send(200, headOf(call), JSON.stringify(answer));
  return { status: 200, usage: question.asks === 'count' ? nothingUsed : usage };
}

/** To count is free. */
const nothingUsed = { input: 0, output: 0 };
