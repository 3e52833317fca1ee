/** Checks answers against the types of the providers' own clients: every required field is there, and no other is. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../harness/project-files.ts';
import { runCommand } from '../harness/run-command.ts';
import type { WireAnswer } from './played-model.ts';

/** Types of a whole answer and of one event, by how the path ends. */
const types: Readonly<Record<string, readonly [whole: string, event: string]>> = {
  '/chat/completions': ['OpenAI.ChatCompletion', 'OpenAI.ChatCompletionChunk'],
  '/v1/completions': ['OpenAI.Completion', 'CompletionChunk'],
  '/v1/responses': ['Sent', 'SentEvent<OpenAI.Responses.ResponseStreamEvent>'],
  '/responses/input_tokens': ['OpenAI.Responses.InputTokenCountResponse', 'never'],
  '/embeddings': ['Embeddings', 'never'],
  '/v1/messages': ['Claude', 'ClaudeEvent<Anthropic.RawMessageStreamEvent>'],
  '/messages/count_tokens': ['Anthropic.MessageTokensCount', 'never'],
  ':generateContent': ['Gemini', 'never'],
  ':streamGenerateContent': ['never', 'Gemini'],
};

/** Where the wire has more than the types, because the client fills it in or ignores it, it is listed here. */
const head = `import type Anthropic from '@anthropic-ai/sdk';
import type { Candidate, FinishReason, GenerateContentResponse } from '@google/genai';
import type OpenAI from 'openai';
type Changed<T, C> = Omit<T, keyof C> & C;
type CompletionChunk = Changed<OpenAI.Completion, {
  choices: Changed<OpenAI.CompletionChoice, { finish_reason: OpenAI.CompletionChoice['finish_reason'] | null }>[];
}>;
type Embeddings = Changed<OpenAI.CreateEmbeddingResponse, {
  data: Changed<OpenAI.Embedding, { embedding: string | number[] }>[];
}>;
type Sent = Changed<Omit<OpenAI.Responses.Response, 'output_text'>, {
  store: boolean;
  user: string | null;
  usage: OpenAI.Responses.ResponseUsage | null;
}>;
type SentEvent<E> = E extends { type: 'response.function_call_arguments.done' }
  ? E & { name: string }
  : E extends { response: unknown } ? Changed<E, { response: Sent }> : E;
type Cited<B> = B extends { type: 'text' } ? Omit<B, 'citations'> : B;
type Claude = Changed<Anthropic.Message, { content: Cited<Anthropic.ContentBlock>[] }>;
type ClaudeEvent<E> = E extends { content_block: infer B } ? Changed<E, { content_block: Cited<B> }> : E;
type Gemini = Changed<Pick<GenerateContentResponse, 'usageMetadata' | 'modelVersion' | 'responseId'>, {
  candidates: Changed<Candidate, { finishReason?: \`\${FinishReason}\` }>[];
}>;
`;

const options =
  '--noEmit --ignoreConfig --strict --skipLibCheck --target esnext --module nodenext --types node';

/** The errors of the compiler; empty without any. */
export async function typeErrors(answers: readonly WireAnswer[]): Promise<string> {
  const lines = answers.filter(isOfThisProvider).flatMap(typedLines);
  if (lines.length < 50) return `only ${lines.length} answers and events`;
  const folder = path.join(projectFolder, 'node_modules/.cache/played-answers');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path.join(folder, 'answers.ts'), `${head}${lines.join('\n')}\n`);
    const tsc = path.join(projectFolder, 'node_modules/.bin/tsc');
    const words = [tsc, ...options.split(' '), 'answers.ts'];
    return (await runCommand(words, { cwd: folder, env: {}, withinMs: 60_000 })).output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reasoning in chats comes from other providers with this API; OpenAI does not show it there. */
function isOfThisProvider({ status, text }: WireAnswer): boolean {
  return status === 200 && !text.includes('"reasoning_content"');
}

function typedLines({ path: at, text }: WireAnswer): readonly string[] {
  const [, names] = Object.entries(types).find(([end]) => at.endsWith(end)) ?? [];
  if (names === undefined) return [];
  const [whole, event] = names;
  const events = [...text.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, json]) => json);
  const typed = events.length === 0 ? [[text, whole]] : events.map((json) => [json, event]);
  return typed.map(([json, type]) => `({ value: ${json} }) satisfies { value: ${type} };`);
}
