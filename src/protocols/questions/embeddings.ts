/** Embeddings as OpenAI and Gemini are asked for them; Anthropic has none. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { createRandom } from '../../kernel/random.ts';
import { geminiDialect, geminiRoute } from '../gemini/gemini-dialect.ts';
import { readUsage } from '../gemini/gemini-words.ts';
import { field, listOf, partsOf, textOf } from '../gemini/read-gemini-contents.ts';
import { deploymentOf, openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import type { ModelRequest } from '../turn/dialect.ts';
import { createFoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';
import { type AskedQuestion, plainQuestion, questionOf } from './question.ts';

const mostDimensions = 3_072;
const mostTexts = 2_048;

export const openAiEmbeddings = questionOf(openAiChatDialect, {
  asks: 'embedding',
  route: (method, path) =>
    method === 'POST' && /(?:^|\/)embeddings\/?$/.test(path) ? deploymentOf(path) : undefined,
  readRequest: (body, route) => {
    const given = isMap(body) ? body : {};
    const { texts, tokens, faults } = readInput(given.input);
    const model = typeof given.model === 'string' ? given.model : (route.model ?? null);
    const unnamed = { rule: 'embeddings.model', what: `the model is ${shownValue(given.model)}` };
    return {
      ...plainQuestion(model, texts),
      ...(tokens === undefined ? {} : { inputTokens: tokens }),
      faults: [...(model === null ? [unnamed] : []), ...faults, ...sizeFaults(given.dimensions)],
    };
  },
  printAnswer: (asked) => {
    const { dimensions, encoding_format: form } = isMap(asked.body) ? asked.body : ({} as JsonMap);
    return {
      object: 'list',
      data: vectorsFor(asked, [dimensions]).map((vector, index) => ({
        object: 'embedding',
        index,
        embedding:
          form === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector,
      })),
      model: asked.request.model,
      usage: { prompt_tokens: asked.tokens, total_tokens: asked.tokens },
    };
  },
  readUsage: ({ usage }) => {
    const input = isMap(usage) ? usage.prompt_tokens : undefined;
    return typeof input === 'number' ? { input, output: 0 } : null;
  },
});

interface Input {
  readonly texts: readonly string[];
  readonly tokens?: number;
  readonly faults: readonly WireFault[];
}

/** A text, texts, the tokens of a text, or of several. */
function readInput(input: unknown): Input {
  const list: readonly unknown[] = Array.isArray(input) && !isTokens(input) ? input : [input];
  const isFine = list.every((one) => (typeof one === 'string' && one !== '') || isTokens(one));
  const isFew = list.length > 0 && list.length <= mostTexts;
  const what = `\`input\` is ${shownValue(input)}: a text, tokens, or up to ${mostTexts} of them`;
  const tokens = list.filter(isTokens);
  return {
    texts: list.map((one) => (isTokens(one) ? one.join(' ') : String(one))),
    ...(tokens.length === 0 ? {} : { tokens: tokens.reduce((sum, one) => sum + one.length, 0) }),
    faults: isFine && isFew ? [] : [{ rule: 'embeddings.input', what }],
  };
}

function isTokens(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => Number.isInteger(one));
}

const geminiVerbs = { one: 'embedContent', many: 'batchEmbedContents' } as const;

export const geminiEmbeddings = questionOf(geminiDialect, {
  asks: 'embedding',
  route: geminiRoute(Object.values(geminiVerbs)),
  readRequest: (body, route) => readGemini(body, route.model ?? null),
  printAnswer: (asked) => {
    const values = vectorsFor(asked, entriesOf(asked.body).map(sizeOf)).map((vector) => ({ values: vector }));
    const usageMetadata = { promptTokenCount: asked.tokens, totalTokenCount: asked.tokens };
    return isBatch(asked.body)
      ? { embeddings: values, usageMetadata }
      : { embedding: values[0], usageMetadata };
  },
  readUsage: ({ usageMetadata }) => readUsage(usageMetadata) ?? null,
});

function readGemini(body: unknown, model: string | null): ModelRequest {
  const notes = createFoldNotes('gemini');
  const entries = entriesOf(body);
  if (entries.length === 0 || entries.length > mostTexts)
    notes.fault('no-requests', `\`requests\` has ${entries.length} entries: 1 to ${mostTexts}`);
  for (const { content } of entries)
    if (partsOf(content).length === 0)
      notes.fault('no-content', `\`content\` is ${shownValue(content)}, without parts`);
  return {
    ...plainQuestion(
      model,
      entries.map(({ content }) => textOf(partsOf(content))),
    ),
    faults: [...notes.faults, ...entries.flatMap((entry) => sizeFaults(sizeOf(entry)))],
  };
}

function isBatch(body: unknown): boolean {
  return isMap(body) && Array.isArray(listOf(body.requests));
}

function entriesOf(body: unknown): readonly JsonMap[] {
  const requests = isMap(body) ? listOf(body.requests) : undefined;
  return (Array.isArray(requests) ? requests : [body]).map((one) => (isMap(one) ? one : {}));
}

/** Newer clients put it into a map of its own. */
function sizeOf(entry: JsonMap): unknown {
  const config = field(entry, 'embedContentConfig');
  return (
    field(entry, 'outputDimensionality') ??
    (isMap(config) ? field(config, 'outputDimensionality') : undefined)
  );
}

function sizeFaults(size: unknown): readonly WireFault[] {
  if (size === undefined || size === null) return [];
  if (Number.isInteger(size) && (size as number) >= 1 && (size as number) <= mostDimensions) return [];
  return [
    { rule: 'embeddings.dimensions', what: `the dimensions are ${shownValue(size)}: 1 to ${mostDimensions}` },
  ];
}

/** One size for all, or one for each. */
function vectorsFor(
  { request, vectors }: AskedQuestion,
  sizes: readonly unknown[],
): readonly (readonly number[])[] {
  return request.messages.map(({ text }, at) => {
    if (vectors !== undefined && vectors.length > 0) return vectors[at % vectors.length] ?? [];
    const size = sizes[at % sizes.length];
    return embedText(text, typeof size === 'number' ? size : usualSize(request.model ?? ''));
  });
}

function usualSize(model: string): number {
  if (/3-large|gemini-embedding/.test(model)) return mostDimensions;
  return /text-embedding-00\d|embedding-001/.test(model) ? 768 : 1_536;
}

const placesOfWord = 8;
/** How much of a vector is of this very text, and not of its words. */
const ownShare = 0.1;

export function embedText(text: string, dimensions: number): readonly number[] {
  const vector = new Float64Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) addWord(vector, word);
  const random = createRandom(`text/${text}`);
  const strength = (lengthOf(vector) * ownShare || 1) * Math.sqrt(12 / dimensions);
  for (let at = 0; at < dimensions; at += 1)
    vector[at] = (vector[at] as number) + strength * (random.next() - 0.5);
  const length = lengthOf(vector) || 1;
  return Array.from(vector, (value) => Math.round((value / length) * 1e8) / 1e8);
}

function addWord(vector: Float64Array, word: string): void {
  const random = createRandom(`word/${word}`);
  for (let count = 0; count < placesOfWord; count += 1) {
    const at = random.integer(0, vector.length - 1);
    vector[at] = (vector[at] as number) + (random.next() < 0.5 ? -1 : 1);
  }
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
