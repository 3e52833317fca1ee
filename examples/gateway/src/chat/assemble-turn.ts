/** Assembles the chunks of a stream: text, tool calls, finish reason. */
import { type JsonObject, textIn } from '../wire/json.ts';
import type { CallFragment, Chunk, ChunkChoice } from './chunk.ts';

export interface Turn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string | null;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As received; of a stream that was cut, perhaps half of it. */
  readonly argumentsText: string;
}

export interface Assembly {
  push(chunk: Chunk): void;
  /** Of the choice of this number; most requests want one. */
  turn(choice?: number): Turn;
  readonly choices: readonly number[];
  readonly usage: JsonObject | undefined;
}

interface Part {
  text: string;
  finish: string | null;
  readonly calls: Map<number, { id: string; name: string; argumentsText: string }>;
}

export function assembleTurn(): Assembly {
  const parts = new Map<number, Part>();
  let usage: JsonObject | undefined;

  const partOf = (index: number): Part => {
    const part = parts.get(index) ?? { text: '', finish: null, calls: new Map() };
    parts.set(index, part);
    return part;
  };

  return {
    push(chunk) {
      for (const choice of chunk.choices) addChoice(partOf(choice.index), choice);
      if (chunk.usage) usage = chunk.usage; // sent more than once, the last one counts
    },
    turn(index = 0) {
      const { text, finish, calls } = parts.get(index) ?? { text: '', finish: null, calls: new Map() };
      return { text, finish, calls: inOrder(calls) };
    },
    get choices() {
      return [...parts.keys()].sort((a, b) => a - b);
    },
    get usage() {
      return usage;
    },
  };
}

function addChoice(part: Part, { delta, finish_reason: finish }: ChunkChoice): void {
  part.text += textIn(delta.content);
  part.finish = finish ?? part.finish;
  for (const fragment of delta.tool_calls ?? []) addFragment(part.calls, fragment);
}

function addFragment(calls: Part['calls'], fragment: CallFragment): void {
  const call = calls.get(fragment.index) ?? { id: '', name: '', argumentsText: '' };
  const name = fragment.function?.name ?? '';
  call.id ||= fragment.id ?? '';
  if (name !== call.name) call.name += name; // some repeat the whole name, some send it in pieces
  call.argumentsText += fragment.function?.arguments ?? '';
  calls.set(fragment.index, call);
}

/** Each needs an id of its own, so that its result can be distinguished from the others. */
function inOrder(calls: Part['calls']): readonly ToolCall[] {
  const taken = new Set<string>();
  return [...calls]
    .sort(([a], [b]) => a - b)
    .map(([index, call]) => {
      const id = call.id === '' || taken.has(call.id) ? `call_${index}` : call.id;
      taken.add(id);
      return { ...call, id };
    });
}
