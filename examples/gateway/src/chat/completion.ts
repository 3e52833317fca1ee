/** A whole chat completion: read from what providers send, assembled from chunks, split into chunks. */
import { isObject, type JsonObject, objectsIn } from '../wire/json.ts';
import { type Assembly, assembleTurn } from './assemble-turn.ts';
import { type Chunk, ChunkError, NotAChunk } from './chunk.ts';

export function readCompletion(value: JsonObject): JsonObject {
  if (value.error) throw new ChunkError(value.error);
  const choices = objectsIn(value.choices);
  if (choices.length === 0 || !choices.every(({ message }) => isObject(message))) {
    throw new NotAChunk('a body without the message of a choice');
  }
  return { ...value, choices: choices.map(withTextArguments) };
}

/** Some send arguments as an object; every client expects text. */
function withTextArguments(choice: JsonObject): JsonObject {
  const message = choice.message as JsonObject;
  if (!Array.isArray(message.tool_calls)) return choice;
  const calls = objectsIn(message.tool_calls).map((call) => {
    const told = isObject(call.function) ? call.function : {};
    const text = isObject(told.arguments) ? JSON.stringify(told.arguments) : told.arguments;
    return { ...call, function: { ...told, arguments: text } };
  });
  return { ...choice, message: { ...message, tool_calls: calls } };
}

/** Throws what the stream throws. */
export async function foldChunks(chunks: AsyncIterable<Chunk>): Promise<JsonObject> {
  const assembly = assembleTurn();
  let head: JsonObject = {};
  for await (const chunk of chunks) {
    const { choices: _choices, usage: _usage, ...rest } = chunk;
    head = { ...rest, ...head };
    assembly.push(chunk);
  }
  return {
    ...head,
    object: 'chat.completion',
    choices: assembly.choices.map((index) => wholeChoice(index, assembly)),
    ...(assembly.usage ? { usage: assembly.usage } : {}),
  };
}

function wholeChoice(index: number, assembly: Assembly): JsonObject {
  const { text, calls, finish } = assembly.turn(index);
  const toolCalls = calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText },
  }));
  const message = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return { index, message, finish_reason: finish };
}

/** The chunks that a provider would have streamed. */
export function printChunks(completion: JsonObject): readonly Chunk[] {
  const { choices, usage, ...rest } = completion;
  const head = { ...rest, object: 'chat.completion.chunk' };
  const told = objectsIn(choices);
  return [
    ...told.map((choice, at) => messageChunk(head, choice, at)),
    ...told.map((choice, at): Chunk => {
      const end = { index: at, delta: {}, finish_reason: String(choice.finish_reason ?? 'stop') };
      return { ...head, choices: [end] };
    }),
    ...(isObject(usage) ? [{ ...head, choices: [], usage }] : []),
  ];
}

function messageChunk(head: JsonObject, choice: JsonObject, at: number): Chunk {
  const message = isObject(choice.message) ? choice.message : {};
  const calls = objectsIn(message.tool_calls).map((call, index) => ({ ...call, index }));
  const { tool_calls: _told, ...said } = message;
  const delta = { ...said, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return { ...head, choices: [{ index: at, delta, finish_reason: null }] };
}
