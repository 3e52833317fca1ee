/** The answer of a tool as the plain value that people compare: its structure, the JSON in its text, or its text. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { hasKeyTwice } from '../../kernel/strict-json.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { described } from './judge-against-schema.ts';

export interface ToolResult {
  /** Absent where the tool has not answered yet. */
  readonly isError?: boolean;
  /** Absent for blocks that are neither a structure nor one text, and where a map in that text has a duplicate key. */
  readonly value?: unknown;
  /** Absent where none was sent. */
  readonly content?: readonly unknown[];
}

/** What asks for input, or continues as a task, has other fields. */
export function isProvisional(result: unknown): result is JsonMap {
  return isMap(result) && ((result.resultType ?? 'complete') !== 'complete' || isMap(result.task));
}

/** Returns a text that says what is wrong when it is not a result of a tool. */
export function readToolResult(result: unknown): ToolResult | string {
  if (!isMap(result)) return `the result of the tool is ${described(result)}, not an object`;
  const { content, isError = false, structuredContent } = result;
  if (content === undefined && isProvisional(result)) return { value: result };
  if (typeof isError !== 'boolean') return `\`isError\` is ${described(isError)}, not true or false`;
  if (content === undefined)
    return { isError, value: structuredContent === undefined ? result : structuredContent };
  if (!Array.isArray(content)) return `the \`content\` of the result is ${described(content)}, not a list`;
  if (structuredContent !== undefined) return { isError, value: structuredContent, content };
  const text = onlyText(content);
  const value = text === undefined ? undefined : jsonOrText(text);
  return value === undefined ? { isError, content } : { isError, value, content };
}

function onlyText(content: readonly unknown[]): string | undefined {
  const [block] = content;
  if (content.length !== 1 || !isMap(block) || block.type !== 'text') return undefined;
  return typeof block.text === 'string' ? block.text : undefined;
}

function jsonOrText(text: string): unknown {
  const value = exactJsonOr(text, undefined);
  if (value === undefined || isTooDeep(value)) return text; // most tools answer in prose
  return hasKeyTwice(text, value) ? undefined : value;
}
