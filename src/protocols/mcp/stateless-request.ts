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

/** An attacker's schema may be deep; arguments that matter to a gateway are not. */
const mostLevels = 16;
const token = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/;

/** Follows `properties` alone, as the specification says; what is absent or null has no header. */
export function parameterHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  const visit = (schema: unknown, value: unknown, level: number): void => {
    if (level > mostLevels || !isMap(schema) || !isMap(schema.properties) || !isMap(value)) return;
    for (const [key, property] of Object.entries(schema.properties)) {
      if (!isMap(property) || !Object.hasOwn(value, key)) continue;
      const name = property['x-mcp-header'];
      const text = headerText(value[key]);
      if (typeof name === 'string' && token.test(name) && text !== undefined) {
        headers[`mcp-param-${name.toLowerCase()}`] = headerValue(text);
      }
      visit(property, value[key], level + 1);
    }
  };
  visit(inputSchema, args, 0);
  return headers;
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value)
    ? String(value)
    : undefined;
}
