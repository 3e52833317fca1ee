/** Parses the bytes of an answer: a completion as one JSON text, or as a stream of events, whichever arrived. */

import { eventData } from './event-data.ts';
import { ProviderTrouble, type Said, type Tokens } from './provider.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  /** Accept what arrived before a cut as the whole answer. */
  readonly cutIsEnd?: boolean;
}

/** A character may be split between two pieces, so they are joined first. */
export function decode(pieces: readonly Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(pieces));
}

export function readAnswer(body: string, type: string, cut: boolean, options: ReadOptions = {}): Said {
  const isCut = cut && !options.cutIsEnd;
  if (type.startsWith('text/event-stream')) return readStream(body, isCut, options);
  if (isCut) throw trouble('the answer was cut off', body);
  return readWhole(body);
}

function readWhole(body: string): Said {
  const completion = asMap(parse(body));
  const [choice] = choicesOf(completion, body);
  const text = textOf(asMap(asMap(choice).message).content);
  if (text === undefined || text === '') throw trouble('no answer', body);
  return { text, tokens: tokensOf(completion.usage) };
}

/** A stream is complete when it has a finish reason; without one it was cut off, however cleanly it ends. */
function readStream(body: string, isCut: boolean, { cutIsEnd }: ReadOptions): Said {
  let text = '';
  let tokens: Tokens | null = null;
  let isEnded = false;
  for (const data of eventData(body)) {
    if (data.trim() === '[DONE]') break;
    const chunk = asMap(parse(data));
    if (chunk.error !== undefined && chunk.error !== null) throw trouble('it failed under way', data);
    tokens = tokensOf(chunk.usage) ?? tokens;
    for (const choice of chunk.choices === undefined ? [] : choicesOf(chunk, data, true)) {
      const { index = 0, delta, finish_reason: reason } = asMap(choice);
      if (index !== 0) continue;
      const piece = textOf(asMap(delta ?? {}).content ?? '');
      if (piece === undefined) throw trouble('text that is none', data);
      text += piece;
      if (typeof reason === 'string' && reason !== '') isEnded = true;
    }
  }
  if (isCut || (!isEnded && !cutIsEnd)) throw trouble('the stream was cut off', text);
  if (text === '') throw trouble('no answer', body);
  return { text, tokens };
}

function choicesOf(completion: Json, body: string, mayBeNone = false): readonly unknown[] {
  const { choices } = completion;
  if (!Array.isArray(choices) || (choices.length === 0 && !mayBeNone)) throw trouble('no answer', body);
  return choices;
}

/** Plain text, or a list of parts of which some are text. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (asMap(part).type === 'text' ? String(asMap(part).text ?? '') : '')).join('');
}

function tokensOf(usage: unknown): Tokens | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const { prompt_tokens: input, completion_tokens: output } = usage as Json;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw trouble('no JSON', text);
  }
}

function asMap(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw trouble('another form than agreed', JSON.stringify(value) ?? 'nothing');
}

/** A retry would give the same result, so the next provider is asked. */
function trouble(what: string, seen: string): ProviderTrouble {
  return new ProviderTrouble('lasting', `${what} in ${JSON.stringify(seen.slice(0, 60))}`);
}
