/** The parts of a request by which a recording recognises it. */
import { createHash } from 'node:crypto';
import { isMap, type JsonMap } from '../../../protocols/json-rpc/is-map.ts';
import type { ModelCall } from '../model-call.ts';

export interface RequestParts {
  readonly model: string | null;
  readonly prompt: { readonly hash: string; readonly text: string };
  /** By name, as they were sent. */
  readonly tools: Readonly<Record<string, unknown>>;
  /** As they were sent, without those of the system. */
  readonly messages: readonly unknown[];
  /** Everything else. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function requestParts({ request, json }: Pick<ModelCall, 'request' | 'json'>): RequestParts {
  const body = isMap(json) ? json : {};
  const said = body.messages ?? body.input ?? body.contents;
  const messages: readonly unknown[] = Array.isArray(said) ? said : said === undefined ? [] : [said];
  return {
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

/** Gemini puts several into one entry. */
function toolsIn({ tools }: JsonMap): readonly unknown[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const declared = isMap(tool) ? (tool.functionDeclarations ?? tool.function_declarations) : undefined;
    return Array.isArray(declared) ? declared : [tool];
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

/** What is another one in every run says nothing: ids, dates, times. */
export function steadyText(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '‹id›')
    .replaceAll(
      /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
      '‹date›',
    )
    .replaceAll(/(?<![0-9A-Za-z])[0-9a-f]{12,}(?![0-9A-Za-z])/gi, '‹id›')
    .replaceAll(/\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, '$1:‹port›');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
