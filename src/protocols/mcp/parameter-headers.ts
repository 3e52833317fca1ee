/** Arguments of a tool that its schema requires as HTTP headers too. */
import { isMap } from '../../kernel/is-map.ts';
import { headerValue } from './stateless-request.ts';

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
