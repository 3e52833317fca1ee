/** Counts of tokens before a call, as Anthropic, Gemini and OpenAI's responses are asked for them. */
import { isMap } from '../../kernel/is-map.ts';
import { anthropicDialect } from '../anthropic/anthropic-dialect.ts';
import { geminiDialect, geminiRoute } from '../gemini/gemini-dialect.ts';
import { field } from '../gemini/read-gemini-contents.ts';
import { responsesDialect } from '../openai-responses/responses-dialect.ts';
import type { Dialect, ModelRequest, ModelRoute } from '../turn/dialect.ts';
import type { JsonObject } from '../turn/turn.ts';
import { questionOf } from './question.ts';

export const anthropicCount = countOf(anthropicDialect, {
  path: /(?:^|\/)messages\/count_tokens\/?$/,
  notNeeded: ['anthropic.no-max-tokens'],
  print: (tokens) => ({ input_tokens: tokens }),
});

export const responsesCount = countOf(responsesDialect, {
  path: /(?:^|\/)responses\/input_tokens\/?$/,
  notNeeded: ['responses.no-model', 'responses.no-input'],
  print: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
});

/** The whole request may be inside another one. */
export const geminiCount = countOf(geminiDialect, {
  route: geminiRoute(['countTokens']),
  unwrap: (body) => (isMap(body) ? (field(body, 'generateContentRequest') ?? body) : body),
  notNeeded: [],
  print: (tokens) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
  }),
});

interface Count {
  readonly path?: RegExp;
  readonly route?: Dialect['route'];
  readonly unwrap?: (body: unknown) => unknown;
  /** Rules of the dialect that a count is not held to. */
  readonly notNeeded: readonly string[];
  readonly print: (tokens: number) => JsonObject;
}

function countOf(
  dialect: Dialect,
  { path, route, unwrap, notNeeded, print }: Count,
): ReturnType<typeof questionOf> {
  return questionOf(dialect, {
    asks: 'count',
    route: route ?? ((method, at) => (method === 'POST' && path?.test(at) ? {} : undefined)),
    readRequest: (body: unknown, at: ModelRoute): ModelRequest => {
      const request = dialect.readRequest(unwrap?.(body) ?? body, at);
      const faults = request.faults.filter(({ rule }) => !notNeeded.includes(rule));
      return { ...request, stream: false, maxTokens: 0, faults, historyFaults: [] };
    },
    printAnswer: ({ tokens }) => print(tokens),
    readUsage: () => ({ input: 0, output: 0 }),
  });
}
