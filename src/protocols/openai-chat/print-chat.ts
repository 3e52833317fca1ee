/** Prints a turn as a chat completion: as one body, or as the events of a stream. */
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn } from '../turn/turn.ts';
import {
  type CallPart,
  callsOf,
  chatChunks,
  doneEvent,
  eachChoice,
  finishWord,
  isOfFunctions,
  printChunks,
  served,
  textOf,
} from './chat-chunks.ts';
import { printChatUsage } from './chat-usage.ts';

export function printChatBody(turn: Turn, about: PrintAbout): JsonObject {
  return {
    id: about.id,
    object: 'chat.completion',
    created: about.createdAt,
    model: about.model,
    choices: eachChoice(about, (index) => ({
      index,
      message: printMessage(turn, about),
      logprobs: null,
      finish_reason: finishWord(turn, about),
    })),
    ...(turn.usage === undefined ? {} : { usage: printChatUsage(turn.usage) }),
    ...served,
  };
}

export function printChatEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  const events = printChunks(chatChunks(turn, about), about);
  events.push(doneEvent);
  return events;
}

function printMessage(turn: Turn, about: PrintAbout): JsonObject {
  const [text, reasoning, refusal] = [
    textOf(turn, 'text'),
    textOf(turn, 'reasoning'),
    textOf(turn, 'refusal'),
  ];
  const calls = callsOf(turn);
  const isSilent = text === '' && (calls.length > 0 || refusal !== '');
  return {
    role: 'assistant',
    content: isSilent ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...printCalls(calls.map(printCall), isOfFunctions(turn, about)),
  };
}

function printCalls(calls: readonly JsonObject[], isOfFunctions: boolean): JsonObject {
  if (isOfFunctions) return { function_call: calls[0]?.function };
  return calls.length === 0 ? {} : { tool_calls: calls };
}

function printCall({ id, name, arguments: made, input }: CallPart): JsonObject {
  return input === undefined
    ? { id, type: 'function', function: { name, arguments: JSON.stringify(made) } }
    : { id, type: 'custom', custom: { name, input } };
}
