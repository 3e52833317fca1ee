/** What a fixture of aimock matches, as a pattern over the request. */
import type { JsonMap } from '../../../kernel/is-map.ts';
import { Problem } from '../../../kernel/problem.ts';
import { printValue } from '../../../patterns/print-value.ts';

/** Undefined for a fixture that matches everything. */
export function matchToWhen(match: JsonMap, where: string): unknown {
  const isRead = (key: string): boolean => Object.hasOwn(readers, key);
  const unknown = Object.keys(match).find((key) => !isRead(key) && !elsewhere.has(key));
  if (unknown !== undefined) throw unreadable(where, unknown, match[unknown]);
  const parts = Object.entries(match)
    .filter(([key]) => isRead(key))
    .map(([key, value]) => {
      const part = readers[key]?.(value);
      if (part === undefined) throw unreadable(where, key, value);
      return part;
    });
  if (parts.length === 0) return undefined;
  return parts.length === 1 ? parts[0] : { $all: parts };
}

type Reader = (value: unknown) => object | undefined;

const text =
  (make: (value: string) => object): Reader =>
  (value) =>
    typeof value === 'string' ? make(value) : undefined;

const readers: Readonly<Record<string, Reader>> = {
  userMessage: text((part) => ({ text: { $contains: part } })),
  systemMessage: (value) => {
    const parts = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
    return parts.length === 0 ? {} : { system: { $contains: parts } };
  },
  toolCallId: text((id) => ({ results: { $some: { id } } })),
  toolResultContains: text((part) => ({ results: { $some: { text: { $contains: part } } } })),
  toolName: text((name) => ({ tools: { $contains: name } })),
  model: text((model) => ({ model: { $any: [model, { $regex: `^${escaped(model)}-\\d` }] } })),
  responseFormat: text((type) => ({ json: { response_format: { type } } })),
  hasToolResult: (value) =>
    typeof value === 'boolean' ? { results: { $length: value ? { $gte: 1 } : 0 } } : undefined,
  turnIndex: (value) => (typeof value === 'number' ? { turn: { $gte: value } } : undefined),
  context: text((context) => ({ headers: { 'x-aimock-context': context } })),
};

/** Read by the code that orders the lines. */
const elsewhere = new Set(['sequenceIndex', 'endpoint']);

function escaped(source: string): string {
  return source.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function unreadable(where: string, key: string, value: unknown): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `\`match.${key}\` is ${printValue(value, 80)}`,
    allowed: [...Object.keys(readers), ...elsewhere].join(', '),
    next: 'write the line under `standing`, with a `when`',
  });
}
