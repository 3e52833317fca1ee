/** Calls a tool; in the stateless era over HTTP, some arguments of some tools must be told in headers, too. */
import { isMap, type JsonMap } from '../../protocols/json-rpc/is-map.ts';
import { headerMismatch, isStateless } from '../../protocols/mcp/eras.ts';
import { parameterHeaders } from '../../protocols/mcp/parameter-headers.ts';
import type { Call } from './call.ts';
import { listAll } from './list-all.ts';
import type { McpClient } from './mcp-client.ts';
import type { Outcome } from './waiting-room.ts';

/** Which arguments, only the tool's schema says: it is looked up when the server misses them. */
export async function callTool(client: McpClient, params: JsonMap, call: Call): Promise<Outcome> {
  const answer = await client.request('tools/call', params, call);
  const isMissed = answer.kind === 'error' && answer.error.code === headerMismatch;
  if (!isMissed || !isStateless(client.version ?? '') || client.transport.kind === 'stdio') return answer;
  const { items } = await listAll(client, 'tools', call);
  const tool = items.find((item) => isMap(item) && item.name === params.name);
  const headers = isMap(tool) ? parameterHeaders(tool.inputSchema, params.arguments) : {};
  if (Object.keys(headers).length === 0) return answer;
  return client.request('tools/call', params, call, headers);
}
