/** Prints a turn as a chat completion: as one body, or as the events of a stream. */
import { cutText } from '../turn/cut-text.ts';
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, StopReason, Turn, TurnPart, Usage } from '../turn/turn.ts';
import { argumentsText } from '../turn/written-arguments.ts';
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

function printCall(call: CallPart): JsonObject {
  const { id, name, input } = call;
  return input === undefined
    ? { id, type: 'function', function: { name, arguments: argumentsText(call) } }
    : { id, type: 'custom', custom: { name, input } };
}

/** One chunk of one choice, or the one with the usage, which has none. */
interface ChatChunk {
  readonly delta?: JsonObject;
  readonly finish?: string | null;
  readonly usage?: Usage;
}

/** In the plainest legal shape. */
function chatChunks(turn: Turn, about: PrintAbout): ChatChunk[] {
  const chunks: ChatChunk[] = [{ delta: { role: 'assistant', content: '', refusal: null } }];
  const say = (field: string, kind: 'text' | 'reasoning' | 'refusal'): void => {
    for (const piece of cutText(textOf(turn, kind), about.pieceChars))
      chunks.push({ delta: { [field]: piece } });
  };
  say('reasoning_content', 'reasoning');
  say('content', 'text');
  say('refusal', 'refusal');
  for (const [index, call] of callsOf(turn).entries()) {
    const deltaOf = (made: JsonObject): JsonObject =>
      isOfFunctions(turn, about) ? { function_call: made.function } : { tool_calls: [{ index, ...made }] };
    chunks.push({ delta: deltaOf(callHead(call)) });
    for (const piece of cutText(call.input ?? argumentsText(call), about.pieceChars)) {
      const more =
        call.input === undefined ? { function: { arguments: piece } } : { custom: { input: piece } };
      chunks.push({ delta: deltaOf(more) });
    }
  }
  chunks.push({ delta: {}, finish: finishWord(turn, about) });
  if (about.wantsUsage && turn.usage !== undefined) chunks.push({ usage: turn.usage });
  return chunks;
}

/** By what the provider served it, which some clients insist on. */
const served = { service_tier: 'default', system_fingerprint: 'fp_5ba4ed0917' } as const;

/** The parts around the delta are printed once for all chunks of a stream; of several choices, each says its piece in turn. */
function printChunks(chunks: readonly ChatChunk[], about: PrintAbout): PrintedEvent[] {
  const { id, model, createdAt } = about;
  const facts = { id, object: 'chat.completion.chunk', created: createdAt, model, ...served };
  const head = JSON.stringify(facts).slice(0, -1);
  const noUsage = about.wantsUsage ? ',"usage":null' : '';
  return chunks.flatMap(({ delta, finish, usage }) => {
    if (delta === undefined) {
      const counted = usage === undefined ? 'null' : JSON.stringify(printChatUsage(usage));
      return { data: `${head},"choices":[],"usage":${counted}}` };
    }
    const rest = usage === undefined ? noUsage : `,"usage":${JSON.stringify(printChatUsage(usage))}`;
    const word = JSON.stringify(finish ?? null);
    const said = `"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${word}}]${rest}}`;
    return eachChoice(about, (index) => ({ data: `${head},"choices":[{"index":${index},${said}` }));
  });
}

export function eachChoice<T>({ choices = 1 }: PrintAbout, print: (index: number) => T): T[] {
  return choices === 1 ? [print(0)] : Array.from({ length: choices }, (_, index) => print(index));
}

export const doneEvent: PrintedEvent = { data: '[DONE]' };

export type CallPart = Extract<TurnPart, { readonly kind: 'call' }>;

export function callsOf(turn: Turn): readonly CallPart[] {
  return turn.parts.filter((part) => part.kind === 'call');
}

export function textOf(turn: Turn, kind: 'text' | 'reasoning' | 'refusal'): string {
  return turn.parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}

function callHead({ id, name, input }: CallPart): JsonObject {
  if (input !== undefined) return { id, type: 'custom', custom: { name, input: '' } };
  return { id, type: 'function', function: { name, arguments: '' } };
}

/** `functions` of the time before tools are answered as then: with one call, which has no id. Several have no such form. */
function isOfFunctions(turn: Turn, { request = {} }: Pick<PrintAbout, 'request'>): boolean {
  const { functions, tools } = request;
  return Array.isArray(functions) && tools == null && callsOf(turn).length === 1;
}

/** A reason that the parts contradict would be illegal; the parts decide. */
export function finishWord(turn: Turn, about: Pick<PrintAbout, 'request'>): string {
  const word = finishWords[turn.stop];
  if (word !== 'stop' && word !== 'tool_calls') return word;
  if (isOfFunctions(turn, about)) return 'function_call';
  return callsOf(turn).length > 0 ? 'tool_calls' : 'stop';
}

const finishWords: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  refusal: 'stop',
  'stop-sequence': 'stop',
  pause: 'stop',
  context: 'length',
  other: 'stop',
};
