/** The first exchange: a handshake, or `server/discover` in the stateless era. */
import { cutText } from '../../kernel/cut-text.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import {
  clientInfo,
  firstStatelessVersion,
  isStateless,
  isStatelessError,
  legacySseVersion,
  newestHandshakeVersion,
} from '../../protocols/mcp/eras.ts';
import type { Call } from './call.ts';
import type { McpClient } from './mcp-client.ts';
import type { Outcome } from './waiting-room.ts';

/** How the server identifies itself. */
export interface Greeting {
  readonly protocolVersion: string;
  readonly server: JsonMap;
  /** Everything that it answered. */
  readonly result: JsonMap;
}

export type Greeted =
  | { readonly kind: 'greeted'; readonly greeting: Greeting }
  | Exclude<Outcome, { kind: 'result' }>;

/** If no era is requested, a server that refuses the handshake is asked whether it is stateless. */
export async function greet(client: McpClient, era: string | undefined, call: Call): Promise<Greeted> {
  if (era !== undefined && isStateless(era)) return discover(client, era, call);
  const { kind } = client.transport;
  const greeted = await initialize(
    client,
    era ?? (kind === 'sse' ? legacySseVersion : newestHandshakeVersion),
    call,
  );
  if (era !== undefined || kind === 'sse' || greeted.kind !== 'error') return greeted;
  if (kind === 'streamable-http' && !isStatelessError(greeted.error.code)) return greeted;
  const discovered = await discover(client, firstStatelessVersion, call);
  if (discovered.kind === 'greeted') return discovered;
  client.version = undefined;
  return greeted;
}

async function initialize(client: McpClient, version: string, call: Call): Promise<Greeted> {
  const params = { protocolVersion: version, capabilities: client.capabilities, clientInfo };
  const answer = await client.request('initialize', params, call);
  if (answer.kind !== 'result') return answer;
  const { result } = answer;
  if (!isMap(result) || typeof result.protocolVersion !== 'string') {
    return garbage('the answer to `initialize` names no protocol version', result);
  }
  client.version = result.protocolVersion;
  const refused = await client.notify('notifications/initialized', undefined, call);
  if (refused !== undefined) return { kind: 'failed', error: refused };
  await client.listen(call);
  return greeted(result.protocolVersion, result.serverInfo, result);
}

async function discover(client: McpClient, version: string, call: Call): Promise<Greeted> {
  client.version = version;
  const answer = await client.request('server/discover', undefined, call);
  if (answer.kind !== 'result') return answer;
  const { result } = answer;
  if (!isMap(result)) return garbage('the answer to `server/discover` is not an object', result);
  const meta = isMap(result._meta) ? result._meta : {};
  return greeted(version, meta['io.modelcontextprotocol/serverInfo'] ?? result.serverInfo, result);
}

function greeted(protocolVersion: string, info: unknown, result: JsonMap): Greeted {
  const server = isMap(info) ? info : {};
  return { kind: 'greeted', greeting: { protocolVersion, server, result } };
}

function garbage(what: string, result: unknown): Greeted {
  const message = `${what}: ${cutText(JSON.stringify(result) ?? '', 200)}`;
  return { kind: 'failed', error: { kind: 'garbage', message } };
}
