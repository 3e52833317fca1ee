/** The parts of a request by which a recording recognises it. */
import { createHash } from 'node:crypto';
import { steadyText } from '../../../journal/steady-value.ts';
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import type { ModelCall } from '../model-call.ts';

export interface RequestParts {
  /** Absent for a turn. */
  readonly asks?: 'embedding' | 'count';
  readonly model: string | null;
  readonly prompt: { readonly hash: string; readonly text: string };
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
    prompt: { hash: hashOf(steadyText(request.system)), text: request.system },
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
    const declared = isMap(tool) ? (tool.functionDeclarations ?? tool.function_declarations) : undefined;
    return declared ?? tool;
  });
}

function nameOf(tool: unknown): string | undefined {
  if (!isMap(tool)) return undefined;
  const name = isMap(tool.function) ? tool.function.name : (tool.name ?? tool.type);
  return typeof name === 'string' ? name : undefined;
}

function isOfSystem(message: unknown): boolean {
  return isMap(message) && (message.role === 'system' || message.role === 'developer');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
