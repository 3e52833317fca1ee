/** All requests to a provider: turns in each dialect, legacy completions, and questions other than turns. */
import { dialectFor } from '../dialects/dialect-table.ts';
import { completionDialect } from '../openai-chat/completion-dialect.ts';
import type { Dialect, ModelRoute } from '../turn/dialect.ts';
import { geminiEmbeddings, openAiEmbeddings } from './embeddings.ts';
import type { Question } from './question.ts';
import { anthropicCount, geminiCount, responsesCount } from './token-counts.ts';

const questions: readonly Question[] = [
  openAiEmbeddings,
  geminiEmbeddings,
  anthropicCount,
  geminiCount,
  responsesCount,
];

export interface RoutedCall {
  readonly dialect: Dialect;
  readonly route: ModelRoute;
  /** Then it is the dialect too. */
  readonly question?: Question;
}

/** By method and path, without query. Undefined where no provider has such an address. */
export function routeCall(method: string, path: string): RoutedCall | undefined {
  const turn = dialectFor(method, path);
  if (turn !== undefined) return turn;
  const completion = completionDialect.route(method, path);
  if (completion !== undefined) return { dialect: completionDialect, route: completion };
  for (const question of questions) {
    const route = question.route(method, path);
    if (route !== undefined) return { dialect: question, route, question };
  }
  return undefined;
}
