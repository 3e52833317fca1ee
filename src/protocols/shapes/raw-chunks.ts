/** Chunks of a chat completion as plain data that a shape may change in any way, and an answer of them. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import type { CallPart } from '../openai-chat/print-chat.ts';
import type { JsonObject } from '../turn/turn.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

export interface RawChunk {
  object?: unknown;
  choices?: RawChoice[];
  usage?: unknown;
  [field: string]: unknown;
}

export interface RawChoice {
  index?: number;
  delta?: RawDelta;
  finish_reason?: string | null;
  [field: string]: unknown;
}

export interface RawDelta {
  content?: unknown;
  tool_calls?: RawCall[];
  [field: string]: unknown;
}

export interface RawCall {
  index?: number;
  id?: string | null;
  type?: string;
  function?: { name?: string; arguments?: unknown };
}

/** Of the plainest legal stream, without its end mark. */
export function rawChunks({ turn, about }: ShapeInput): RawChunk[] {
  return openAiChatDialect
    .printEvents(turn, about)
    .flatMap(({ data }) => (data === '[DONE]' ? [] : [parseExactJson(data) as RawChunk]));
}

export function sendChunks(chunks: readonly RawChunk[], endMark: 'done' | 'none' = 'done'): WireAnswer {
  const events = chunks.map((chunk) => ({ data: JSON.stringify(chunk) }));
  return answerOfEvents(endMark === 'done' ? [...events, { data: '[DONE]' }] : events);
}

/** Changes the chunks in place, or gives others; undefined where they have nothing that the shape is about. */
export type EditChunks = (chunks: RawChunk[], input: ShapeInput) => RawChunk[] | undefined;

/** A generator of streams alone. */
export function chunkShape(edit: EditChunks, endMark: 'done' | 'none' = 'done'): MakeAnswer {
  return (input) => {
    const chunks = input.streamed ? edit(rawChunks(input), input) : undefined;
    return chunks === undefined ? undefined : sendChunks(chunks, endMark);
  };
}

export interface RawMessage {
  content?: unknown;
  tool_calls?: RawCall[];
  [field: string]: unknown;
}

export interface RawBody {
  choices: { message: RawMessage; finish_reason: string | null; [field: string]: unknown }[];
  [field: string]: unknown;
}

/** The same for an answer in one body; false where it has nothing that the shape is about. */
export type EditMessage = (choice: RawBody['choices'][number], input: ShapeInput) => boolean;

export function eitherShape(edit: EditChunks, editMessage: EditMessage): MakeAnswer {
  const streamed = chunkShape(edit);
  return (input) => {
    if (input.streamed) return streamed(input);
    const body = structuredClone(openAiChatDialect.printBody(input.turn, input.about)) as unknown as RawBody;
    const [choice] = body.choices;
    return choice !== undefined && editMessage(choice, input) ? answerOfBody(body) : undefined;
  };
}

/** With another reason to stop, where one is drawn. */
export function finishShape(
  draw: (input: ShapeInput, word: string | null | undefined) => string | undefined,
): MakeAnswer {
  const change = (choice: Pick<RawChoice, 'finish_reason'> | undefined, input: ShapeInput): boolean => {
    const word = choice && draw(input, choice.finish_reason);
    if (choice === undefined || word === undefined) return false;
    choice.finish_reason = word;
    return true;
  };
  return eitherShape((chunks, input) => (change(finishChoice(chunks), input) ? chunks : undefined), change);
}

/** The fragments of calls, in the order of the stream. */
export function fragmentsOf(chunks: readonly RawChunk[]): RawCall[] {
  return chunks.flatMap(({ choices }) => choices?.[0]?.delta?.tool_calls ?? []);
}

/** The chunks that carry fragments are replaced, all together, by these. */
export function withFragments(chunks: readonly RawChunk[], fragments: readonly RawCall[][]): RawChunk[] {
  const isCall = (chunk: RawChunk): boolean => chunk.choices?.[0]?.delta?.tool_calls !== undefined;
  const first = chunks.findIndex(isCall);
  const model = chunks[first];
  if (model === undefined) return [...chunks];
  const made = fragments.map((calls) => ({
    ...model,
    choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }],
  }));
  return [...chunks.slice(0, first), ...made, ...chunks.slice(first).filter((chunk) => !isCall(chunk))];
}

/** A chunk in addition to the others, with these choices. */
export function chunkLike(chunks: readonly RawChunk[], choices: RawChoice[]): RawChunk {
  const { id, object, created, model } = chunks[0] ?? {};
  return { id, object, created, model, choices };
}

export function choicesOf(chunks: readonly RawChunk[]): RawChoice[] {
  return chunks.flatMap(({ choices }) => choices ?? []);
}

export function finishChoice(chunks: readonly RawChunk[]): RawChoice | undefined {
  return choicesOf(chunks).find(({ finish_reason: word }) => typeof word === 'string');
}

export function deltasWith(chunks: readonly RawChunk[], field: string): RawDelta[] {
  return choicesOf(chunks).flatMap(({ delta }) => {
    const value = delta?.[field];
    return delta !== undefined && typeof value === 'string' && value !== '' ? [delta] : [];
  });
}

/** A call as one entry with all that it has. */
export function wholeCall({ id, name, arguments: made }: CallPart, index: number): RawCall {
  return { index, id, type: 'function', function: { name, arguments: JSON.stringify(made) } };
}

export function isBare(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}
