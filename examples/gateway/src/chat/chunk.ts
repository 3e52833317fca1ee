/** Chunks of a streamed chat completion: read from what providers send, in the form that clients expect. */
import { isObject, type JsonObject, objectsIn, parseObject, textIn } from '../wire/json.ts';
import { type CallIndexer, createCallIndexer } from './call-indexer.ts';

export interface Chunk {
  readonly choices: readonly ChunkChoice[];
  readonly usage?: JsonObject | null;
  readonly [other: string]: unknown;
}

export interface ChunkChoice {
  readonly index: number;
  readonly delta: JsonObject & { readonly tool_calls?: readonly CallFragment[] };
  readonly finish_reason: string | null;
}

export interface CallFragment {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** The error that the provider sent in its stream. */
export class ChunkError extends Error {
  readonly type: string;

  constructor(error: unknown) {
    const told = isObject(error) ? error : {};
    super(textIn(told.message) || textIn(error) || 'the provider failed without saying why');
    this.type = textIn(told.type) || textIn(told.code) || 'error';
  }
}

export class NotAChunk extends Error {}

export type ReadChunk = (data: string) => Chunk;

/** One for each stream: which call a fragment belongs to depends on those before it. */
export function createChunkReader(createIndexer: () => CallIndexer = createCallIndexer): ReadChunk {
  const indexers = new Map<number, CallIndexer>();
  const indexerOf = (choice: number): CallIndexer => {
    const indexer = indexers.get(choice) ?? createIndexer();
    indexers.set(choice, indexer);
    return indexer;
  };
  return (data) => {
    const value = parseObject(data);
    if (!value) throw new NotAChunk(`an event that is no JSON object: ${data.slice(0, 80)}`);
    if (value.error) throw new ChunkError(value.error);
    const choices = objectsIn(value.choices).map((choice) => readChoice(choice, indexerOf));
    const usage = isObject(value.usage) ? { usage: value.usage } : {};
    const { usage: _told, ...rest } = value;
    return { ...rest, choices, ...usage };
  };
}

function readChoice(choice: JsonObject, indexerOf: (choice: number) => CallIndexer): ChunkChoice {
  const index = typeof choice.index === 'number' ? choice.index : 0;
  const delta = isObject(choice.delta) ? choice.delta : {};
  const { tool_calls: told, content, ...rest } = delta;
  const fragments = objectsIn(told).map((fragment, position) =>
    readFragment(fragment, position, indexerOf(index)),
  );
  return {
    ...choice,
    index,
    delta: {
      ...rest,
      ...(content === undefined ? {} : { content: plainText(content) }),
      ...(fragments.length > 0 ? { tool_calls: fragments } : {}),
    },
    finish_reason: textIn(choice.finish_reason) || null,
  };
}

/** Some send arguments as an object; every client expects text. */
function readFragment(fragment: JsonObject, position: number, indexer: CallIndexer): CallFragment {
  const told = isObject(fragment.function) ? fragment.function : {};
  const text = isObject(told.arguments) ? JSON.stringify(told.arguments) : told.arguments;
  const id = textIn(fragment.id);
  return {
    ...fragment,
    index: indexer(fragment.index, id, position),
    function: { ...told, ...(typeof text === 'string' ? { arguments: text } : {}) },
  };
}

/** Some send a list of parts instead of text. */
function plainText(content: unknown): string | null {
  if (typeof content === 'string' || content === null) return content;
  return objectsIn(content)
    .map((part) => textIn(part.text))
    .join('');
}
