/** Makes the shapes of endings: reasons to stop, end marks, cuts and failures in the middle of a stream. */
import { callsOf, textOf } from '../openai-chat/print-chat.ts';
import {
  choicesOf,
  chunkShape,
  finishChoice,
  finishShape,
  fragmentsOf,
  type RawChunk,
  rawChunks,
  sendChunks,
} from './raw-chunks.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';

export const chatEndMakers: Readonly<Record<string, MakeAnswer>> = {
  C19: chunkShape((chunks) => {
    for (const choice of choicesOf(chunks)) choice.finish_reason ??= '';
    return chunks;
  }),
  C20: finishShape(({ turn, random }) =>
    callsOf(turn).length === 0 ? random.pick(unknownWords) : undefined,
  ),
  C21: chunkShape((chunks) => {
    const at = chunks.findIndex((chunk) => finishChoice([chunk]) !== undefined);
    const before = chunks[at - 1]?.choices?.[0];
    const finish = chunks[at]?.choices?.[0];
    if (at < 2 || before === undefined || finish === undefined) return undefined;
    before.finish_reason = finish.finish_reason ?? null;
    return chunks.toSpliced(at, 1);
  }),
  C22: chunkShape((chunks) => {
    const choices = choicesOf(chunks);
    for (const choice of choices) choice.finish_reason ??= 'stop';
    return choices.length > 2 ? chunks : undefined;
  }),
  C23: chunkShape((chunks) => chunks, 'none'),
  C24: chunkShape(withoutFinish),
  C25: chunkShape(withoutFinish, 'none'),
  /** The last call loses the end of its arguments, and the stream everything behind it. */
  C26: chunkShape((chunks, { turn, random }) => {
    const calls = callsOf(turn);
    const last = calls.length - 1;
    const text = JSON.stringify(calls[last]?.arguments);
    const cut = calls.length === 0 ? 0 : random.integer(1, text.length - 1);
    const head = fragmentsOf(chunks).find(({ index }) => index === last);
    const at = chunks.findIndex(({ choices }) => choices?.[0]?.delta?.tool_calls?.[0] === head);
    const model = chunks[at];
    if (head === undefined || model === undefined) return undefined;
    const delta = { tool_calls: [{ index: last, function: { arguments: text.slice(0, cut) } }] };
    return [...chunks.slice(0, at + 1), { ...model, choices: [{ index: 0, delta, finish_reason: null }] }];
  }, 'none'),
  C27: (input) => failing(input, failures),
  C28: (input) => failing(input, oddFailures),
  /** All of the text is out already: a consumer that simply asks again shows it twice. */
  C44: (input) => {
    if (!input.streamed || textOf(input.turn, 'text') === '') return undefined;
    const chunks = rawChunks(input).filter((chunk) => chunk.choices?.[0]?.delta?.tool_calls === undefined);
    const kept = withoutFinish(chunks).filter(({ choices }) => choices?.length !== 0);
    if (input.random.next() < 0.5) return sendChunks([...kept, { error: failures[0] }], 'none');
    return { ...sendChunks(kept, 'none'), end: input.random.pick(['fin', 'reset']) };
  },
};

const unknownWords = ['end', 'eos_token', 'network_error', 'malformed_function_call', 'content-filtered'];

function withoutFinish(chunks: RawChunk[]): RawChunk[] {
  return chunks.filter((chunk) => finishChoice([chunk]) === undefined);
}

const failures: readonly unknown[] = [
  { message: 'The server had an error while processing your request.', type: 'server_error', code: null },
  { message: 'Overloaded', type: 'overloaded_error', param: null, code: 529 },
  { message: 'Rate limit reached', type: 'tokens', param: null, code: 'rate_limit_exceeded' },
];

const oddFailures: readonly unknown[] = [
  'upstream connect error or disconnect/reset before headers',
  { message: 'Provider returned error', code: 502 },
  { message: 'timeout' },
];

/** Before the reason to stop; some gateways send the end mark all the same. */
function failing(input: ShapeInput, errors: readonly unknown[]): WireAnswer | undefined {
  if (!input.streamed) return undefined;
  const chunks = withoutFinish(rawChunks(input));
  const kept = chunks.slice(0, input.random.integer(0, chunks.length));
  return sendChunks([...kept, { error: input.random.pick(errors) }], input.random.pick(['done', 'none']));
}
