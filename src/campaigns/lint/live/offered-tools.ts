/** The tools of servers, as they list them now: each server is asked once. */
import { isMap } from '../../../protocols/json-rpc/is-map.ts';
import type { McpServer } from './claims.ts';
import type { Looking } from './looking.ts';

export interface OfferedTools {
  /** Name to the schema of its arguments. */
  readonly tools: ReadonlyMap<string, unknown>;
}

export interface ToolLists {
  /** What it offers, or why that cannot be known. */
  of(server: McpServer): Promise<OfferedTools | string>;
  /** Everything that was asked so far, by service. */
  known(service: string): readonly OfferedTools[];
}

export function openToolLists(looking: Looking): ToolLists {
  const asked = new Map<string, Promise<OfferedTools | string>>();
  const answers: { readonly target: string; readonly offered: OfferedTools }[] = [];
  const ask = async ({ folder, ...server }: McpServer): Promise<OfferedTools | string> => {
    const down = looking.down.get(server.target?.split('.')[0] ?? '');
    if (down !== undefined) return `${server.target} is ${down}`;
    const { tools, error, rpcError } = await looking.ask('mcp', { ...server, list: 'tools' }, folder);
    const refusal = error ?? (isMap(rpcError) ? rpcError : undefined);
    if (!Array.isArray(tools) || refusal)
      return `${server.target ?? server.stdio?.join(' ')} does not list its tools: ${messageOf(refusal)}`;
    const offered = { tools: new Map(tools.flatMap(toEntry)) };
    if (server.target !== undefined) answers.push({ target: server.target, offered });
    return offered;
  };
  return {
    of: (server) => {
      const key = JSON.stringify(server);
      const answer = asked.get(key) ?? ask(server);
      asked.set(key, answer);
      return answer;
    },
    known: (service) =>
      answers.filter(({ target }) => target.split('.')[0] === service).map(({ offered }) => offered),
  };
}

function toEntry(tool: unknown): readonly (readonly [string, unknown])[] {
  return isMap(tool) && typeof tool.name === 'string' ? [[tool.name, tool.inputSchema]] : [];
}

function messageOf(refusal: unknown): string {
  return isMap(refusal) && typeof refusal.message === 'string'
    ? refusal.message
    : 'the list is too large to be kept';
}
