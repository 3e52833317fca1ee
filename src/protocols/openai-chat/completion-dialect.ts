/** OpenAI's completions as they were before chats: prompts in, texts out. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { cutText } from '../turn/cut-text.ts';
import type {
  Dialect,
  ModelRequest,
  ModelRoute,
  PrintAbout,
  PrintedEvent,
  TurnFold,
} from '../turn/dialect.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { shownValue } from '../turn/fold-notes.ts';
import type { JsonObject, Turn } from '../turn/turn.ts';
import { deploymentOf, openAiChatDialect } from './chat-dialect.ts';
import { printChatUsage } from './chat-usage.ts';
import { doneEvent, eachChoice, finishWord, textOf } from './print-chat.ts';

export const completionDialect: Dialect = {
  ...openAiChatDialect,
  route: (method, path) =>
    method === 'POST' && /(?:^|\/)(?<!chat\/)completions\/?$/.test(path) ? deploymentOf(path) : undefined,
  readRequest: readCompletionRequest,
  printBody: printCompletion,
  printEvents: printCompletionEvents,
  foldBody: (body, status) => openAiChatDialect.foldBody(asChat(body, 'message'), status),
  createFold: foldCompletion,
};

/** The same as a chat in which the user says the prompt; of several, in their order, each has its choices. */
function readCompletionRequest(body: unknown, route: ModelRoute): ModelRequest {
  const { prompt, ...given } = isMap(body) ? body : ({} as JsonMap);
  const texts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  const areTexts = texts.every((text) => typeof text === 'string');
  const messages = [{ role: 'user', content: areTexts ? texts.join('\n') : '' }];
  const { faults, choices = 1, ...request } = openAiChatDialect.readRequest({ ...given, messages }, route);
  const all = choices * texts.length;
  const isFine = areTexts && all > 0 && all <= foldLimits.choices;
  const what = `the prompt is ${shownValue(prompt)}: a text, or texts with ${foldLimits.choices} choices in all, can be played`;
  const wrong = isFine ? [] : [{ rule: 'completion.prompt', what }];
  return { ...request, choices: all, tools: [], faults: [...faults, ...wrong], historyFaults: [] };
}

function printCompletion(turn: Turn, about: PrintAbout): JsonObject {
  return {
    ...frameOf(about),
    choices: eachChoice(about, (index) => choiceOf(textOf(turn, 'text'), endOf(turn), index)),
    ...(turn.usage === undefined ? {} : { usage: printChatUsage(turn.usage) }),
  };
}

function printCompletionEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  const frame = frameOf(about);
  const open = about.wantsUsage ? { usage: null } : {};
  const choices = [
    ...cutText(textOf(turn, 'text'), about.pieceChars).map((piece) => [piece, null] as const),
    ['', endOf(turn)] as const,
  ].flatMap(([piece, finish]) => eachChoice(about, (index) => choiceOf(piece, finish, index)));
  const chunks: JsonObject[] = choices.map((choice) => ({ ...frame, choices: [choice], ...open }));
  if (about.wantsUsage && turn.usage !== undefined)
    chunks.push({ ...frame, choices: [], usage: printChatUsage(turn.usage) });
  return [...chunks.map((chunk) => ({ data: JSON.stringify(chunk) })), doneEvent];
}

function frameOf({ id, createdAt, model }: PrintAbout): JsonObject {
  return { id: id.replace(/^chatcmpl-/, 'cmpl-'), object: 'text_completion', created: createdAt, model };
}

function choiceOf(text: string, finish: string | null, index: number): JsonObject {
  return { text, index, logprobs: null, finish_reason: finish };
}

/** There are no tools here. */
function endOf(turn: Turn): string {
  return finishWord({ ...turn, parts: [] }, {});
}

function foldCompletion(): TurnFold {
  const fold = openAiChatDialect.createFold();
  return {
    ...fold,
    push: (event) => {
      const json = exactJsonOr(event.data, undefined);
      // The fold of chats reports what is not JSON.
      fold.push(json === undefined ? event : { ...event, data: JSON.stringify(asChat(json, 'delta')) });
    },
  };
}

function asChat(body: unknown, slot: 'message' | 'delta'): unknown {
  if (!isMap(body) || !Array.isArray(body.choices)) return body;
  const choices = body.choices.map((choice: unknown) => {
    if (!isMap(choice)) return choice;
    const { text, ...rest } = choice;
    return { ...rest, [slot]: { role: 'assistant', content: text } };
  });
  return { ...body, choices };
}
