/** All dialects of model providers, and which one an address belongs to. */
import { anthropicDialect } from '../anthropic/anthropic-dialect.ts';
import { geminiDialect } from '../gemini/gemini-dialect.ts';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import { responsesDialect } from '../openai-responses/responses-dialect.ts';
import type { Dialect, ModelRoute } from '../turn/dialect.ts';
import { type DialectName, dialectNames } from '../turn/turn.ts';

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'openai-chat': openAiChatDialect,
  'openai-responses': responsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
};

export interface RoutedDialect {
  readonly dialect: Dialect;
  readonly route: ModelRoute;
}

/** By method and path, without query. Undefined where no dialect has such an address. */
export function dialectFor(method: string, path: string): RoutedDialect | undefined {
  for (const name of dialectNames) {
    const route = dialects[name].route(method, path);
    if (route !== undefined) return { dialect: dialects[name], route };
  }
  return undefined;
}
