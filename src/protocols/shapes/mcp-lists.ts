/** Lists of a tool server in other shapes: in pages, in circles, with schemas that say the same otherwise or nothing at all. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import { methodsOfLists } from '../mcp/eras.ts';
import { type AskedInput, paramsOf, plainly } from './make-mcp.ts';
import type { WireAnswer } from './shape.ts';

/** A cursor holds what is left to list; more than this is no cursor. */
const mostCursorChars = 64 * 1024;

export function isList(method: string): boolean {
  return kindOf(method) !== undefined;
}

function kindOf(method: string): string | undefined {
  return Object.entries(methodsOfLists).find(([, one]) => one === method)?.[0];
}

function listed({
  request,
  result,
}: AskedInput): { readonly kind: string; readonly items: readonly unknown[] } | undefined {
  const kind = kindOf(request.method);
  const items = kind !== undefined && isMap(result) ? result[kind] : undefined;
  return kind !== undefined && Array.isArray(items) ? { kind, items } : undefined;
}

/** Half of the list, and a cursor that holds the rest, so that the next page needs nobody's memory. */
export function inPages(input: AskedInput): WireAnswer | undefined {
  const kind = kindOf(input.request.method) ?? '';
  const { cursor } = paramsOf(input);
  const items = typeof cursor === 'string' ? readCursor(cursor) : listed(input)?.items;
  if (items === undefined || (items.length < 2 && cursor === undefined)) return undefined;
  const page = items.slice(0, Math.max(1, Math.ceil(items.length / 2)));
  const nextCursor = Buffer.from(JSON.stringify(items.slice(page.length))).toString('base64url');
  if (nextCursor.length > mostCursorChars) return undefined;
  const about =
    isMap(input.result) && input.result.resultType === 'complete' ? { resultType: 'complete' } : {};
  return plainly(input, { ...about, [kind]: page, ...(page.length === items.length ? {} : { nextCursor }) });
}

function readCursor(cursor: string): readonly unknown[] | undefined {
  try {
    const items: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(items) ? items : undefined;
  } catch {
    return undefined; // it is a cursor of the server's own
  }
}

export function inCircles(input: AskedInput): WireAnswer | undefined {
  const list = listed(input) ?? { kind: kindOf(input.request.method) ?? '', items: [] };
  return plainly(input, { [list.kind]: list.items, nextCursor: 'again' });
}

/** Each property by reference, through a definition of its own; where there are none, without the word. */
export function withReferences(input: AskedInput): WireAnswer | undefined {
  return changeTools(input, (tools) =>
    tools.map((tool) => ({ ...tool, inputSchema: referring(tool.inputSchema) })),
  );
}

function referring(schema: unknown): unknown {
  if (!isMap(schema) || schema.$defs !== undefined) return schema;
  const { properties, ...rest } = schema;
  const entries = isMap(properties) ? Object.entries(properties) : [];
  if (entries.length === 0) return rest;
  return {
    ...rest,
    $defs: Object.fromEntries(entries.map(([, property], at) => [`p${at}`, property])),
    properties: Object.fromEntries(entries.map(([name], at) => [name, { $ref: `#/$defs/p${at}` }])),
  };
}

export function withBadSchema(input: AskedInput): WireAnswer | undefined {
  const bad = {
    name: 'broken_tool',
    description: 'Its schema is none.',
    inputSchema: input.random.pick([null, 'object', []]),
  };
  return changeTools(input, (tools) => [...tools, bad]);
}

function changeTools(
  input: AskedInput,
  change: (tools: readonly JsonMap[]) => readonly unknown[],
): WireAnswer | undefined {
  const list = listed(input);
  if (list?.kind !== 'tools' || !list.items.every(isMap) || list.items.length === 0) return undefined;
  return plainly(input, { ...(input.result as JsonMap), tools: change(list.items) });
}
