/** A recording of the calls of a model in one trial, as it is on disk, and the parts by which it recognises a request. */
import { createHash } from 'node:crypto';
import { steadyText } from '../../../journal/steady-value.ts';
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { type DialectName, dialectNames, type Usage } from '../../../protocols/turn/turn.ts';
import type { Cassette, RecordedResponse } from '../../cassette/cassette.ts';
import type { CallForm } from '../../cassette/cassette-file.ts';
import { responseFault } from '../../cassette/recorded-pieces.ts';
import type { ModelCall } from '../model-call.ts';

export type ModelCassette = Cassette<RecordedCall>;

export interface RecordedCall {
  readonly caller: string;
  /** The n-th of the caller, from 1. */
  readonly call: number;
  readonly dialect: DialectName;
  readonly streamed: boolean;
  /** Never with a key. */
  readonly request: RequestParts & { readonly path: string };
  readonly response: RecordedResponse;
  readonly usage: Usage | null;
  /** Of the answer. */
  readonly model?: string;
}

export const modelCallForm: CallForm = { kind: undefined, fault: callFault };

function callFault(call: unknown): string | undefined {
  const { caller, dialect, request, response } = call as Readonly<Record<string, unknown>>;
  if (typeof caller !== 'string') return '`caller` is missing';
  if (!dialectNames.some((name) => name === dialect)) return `${JSON.stringify(dialect)} is not a dialect`;
  if (!isMap(request) || !isMap(request.prompt) || !isMap(request.tools) || !Array.isArray(request.messages))
    return '`request` is incomplete';
  if (typeof request.prompt.text !== 'string' || !isMap(request.parameters)) return '`request` is incomplete';
  return responseFault(response);
}

export interface RequestParts {
  /** Absent for a turn. */
  readonly asks?: 'embedding' | 'count';
  readonly model: string | null;
  readonly prompt: {
    readonly hash: string;
    readonly text: string;
    /** Where it is in messages, by the number of the next of the others; absent in older recordings. */
    readonly messages?: readonly { readonly role: string; readonly before: number }[];
  };
  /** By name, as they were sent. */
  readonly tools: Readonly<Record<string, unknown>>;
  /** As they were sent, without those of the system. */
  readonly messages: readonly unknown[];
  /** Everything else. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function requestParts({
  request,
  json,
  question,
}: Pick<ModelCall, 'request' | 'json' | 'question'>): RequestParts {
  const body = isMap(json) ? json : {};
  const said = body.messages ?? body.input ?? body.contents;
  const messages: readonly unknown[] = Array.isArray(said) ? said : said === undefined ? [] : [said];
  return {
    ...(question === undefined ? {} : { asks: question.asks }),
    model: request.model,
    prompt: {
      hash: hashOf(steadyText(request.system)),
      text: request.system,
      messages: messages.filter(isOfSystem).map((message, index) => ({
        role: message.role,
        before: messages.indexOf(message) - index + 1,
      })),
    },
    tools: Object.fromEntries(
      toolsIn(body).map((tool, index) => [nameOf(tool) ?? `tool ${index + 1}`, tool]),
    ),
    messages: messages.filter((message) => !isOfSystem(message)),
    parameters: Object.fromEntries(Object.entries(body).filter(([name]) => !namedParts.has(name))),
  };
}

const namedParts = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
]);

/** Gemini puts several into one entry, and takes one where a list is meant. */
function toolsIn({ tools }: JsonMap): readonly unknown[] {
  return [tools ?? []].flat().flatMap((tool: unknown) => {
    if (!isMap(tool)) return tool;
    const { functionDeclarations, function_declarations: declared = functionDeclarations, ...others } = tool;
    return declared === undefined || Object.keys(others).length === 0
      ? (declared ?? tool)
      : [declared, others].flat();
  });
}

function nameOf(tool: unknown): string | undefined {
  if (!isMap(tool)) return undefined;
  const name = isMap(tool.function) ? tool.function.name : (tool.name ?? tool.type);
  return typeof name === 'string' ? name : undefined;
}

function isOfSystem(message: unknown): message is { readonly role: 'system' | 'developer' } {
  return isMap(message) && (message.role === 'system' || message.role === 'developer');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
