/** What each request of the stateless era carries: the client and the version, over HTTP also in headers. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { clientInfo } from './eras.ts';

/** The caller's own `_meta` wins, so that a trial can send a wrong one on purpose. */
export function withRequestMeta(
  params: JsonMap | undefined,
  version: string,
  capabilities: JsonMap = {},
): JsonMap {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(isMap(params?._meta) ? params._meta : {}),
  };
  return { ...params, _meta: meta };
}

const namedBy: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

export function mirrorHeaders(method: string, params: unknown, version: string): Record<string, string> {
  const key = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const name = key !== undefined && isMap(params) ? params[key] : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': headerValue(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

const marked = /^=\?base64\?.*\?=$/s;
const plain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** As it is where HTTP can carry it, and as marked Base64 where it cannot, or where it looks like such. */
export function headerValue(value: string): string {
  if (value === '' || (plain.test(value) && !marked.test(value))) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
