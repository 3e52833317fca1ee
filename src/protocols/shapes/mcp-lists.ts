/** Lists of a tool server in other shapes: in pages, in circles, with schemas that say the same otherwise or nothing at all. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { methodsOfLists } from '../mcp/eras.ts';
import { type AskedInput, paramsOf, plainly } from './make-mcp.ts';
import type { WireAnswer } from './shape.ts';

/** A cursor contains what is left to list; more than this is not a cursor. */
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

interface Rest {
  readonly items: readonly unknown[];
  /** What the server sends besides its list: in the stateless era, how long it is valid. */
  readonly about: JsonMap;
}

/** Half of the list, and a cursor that holds the rest, so that the next page needs no stored state. */
export function inPages(input: AskedInput): WireAnswer | undefined {
  const kind = kindOf(input.request.method) ?? '';
  const { cursor } = paramsOf(input);
  const rest = cursor === undefined ? restOf(input) : readCursor(cursor);
  if (rest === undefined || (rest.items.length < 2 && cursor === undefined)) return undefined;
  const { items, about } = rest;
  const page = items.slice(0, Math.max(1, Math.ceil(items.length / 2)));
  // The server's own cursor goes with the last page.
  const { nextCursor: _, ...beside } = about;
  if (page.length === items.length) return plainly(input, { ...about, [kind]: page });
  const nextCursor = `${ownCursor}${Buffer.from(JSON.stringify({ items: items.slice(page.length), about })).toString('base64url')}`;
  if (nextCursor.length > mostCursorChars) return undefined;
  return plainly(input, { ...beside, [kind]: page, nextCursor });
}

const ownCursor = 'page-';

/** A request for a page that the shape has promised: whatever the server says to it, the page is known. */
export function asksForOwnPage(method: string, params: unknown): boolean {
  return isList(method) && isMap(params) && readCursor(params.cursor) !== undefined;
}

function restOf(input: AskedInput): Rest | undefined {
  const list = listed(input);
  return list && { items: list.items, about: besideList(input, list.kind) };
}

function besideList({ result }: AskedInput, kind: string): JsonMap {
  return Object.fromEntries(Object.entries(isMap(result) ? result : {}).filter(([key]) => key !== kind));
}

function readCursor(cursor: unknown): Rest | undefined {
  if (typeof cursor !== 'string' || !cursor.startsWith(ownCursor)) return undefined;
  // Otherwise it is a cursor of the server's own.
  const rest = exactJsonOr(Buffer.from(cursor.slice(ownCursor.length), 'base64url').toString(), undefined);
  const isOurs = isMap(rest) && Array.isArray(rest.items) && isMap(rest.about);
  return isOurs ? (rest as unknown as Rest) : undefined;
}

export function inCircles(input: AskedInput): WireAnswer | undefined {
  const list = listed(input) ?? { kind: kindOf(input.request.method) ?? '', items: [] };
  return plainly(input, { ...besideList(input, list.kind), [list.kind]: list.items, nextCursor: 'again' });
}

/** Each property by reference, through a definition of its own; where there are none, without the keyword. */
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
