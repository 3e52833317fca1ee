/** The key with which a consumer comes, wherever its dialect puts it. */
import type { DialectName } from '../../protocols/turn/turn.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { WireRequest } from '../wire/wire-server.ts';

export function keyOf(
  { headers, query, path }: Pick<WireRequest, 'headers' | 'query' | 'path'>,
  dialect: DialectName,
): string | undefined {
  const bearer = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  switch (dialect) {
    case 'anthropic':
      return given(headers['x-api-key']) ?? bearer;
    case 'gemini':
      return given(headers['x-goog-api-key']) ?? given(query.key) ?? bearer;
    default:
      return (azurePath.test(path) ? given(headers['api-key']) : undefined) ?? bearer;
  }
}

/** Azure serves the same API below other addresses, and takes its keys in another header. */
const azurePath = /\/(?:openai|deployments)\//;

/** Without a list of keys, every one is let in. */
export function isLetIn(key: string, { keys }: Pick<ModelSpec, 'keys'>, own: string): boolean {
  return keys === undefined || key === own || keys.includes(key);
}

/** The header that carries a key to a provider of this dialect: the one that the consumer used, where there are two. */
export function keyHeader(
  dialect: DialectName,
  key: string,
  { headers }: Pick<WireRequest, 'headers'>,
): Readonly<Record<string, string>> {
  switch (dialect) {
    case 'anthropic':
      return { 'x-api-key': key };
    case 'gemini':
      return { 'x-goog-api-key': key };
    default:
      return headers['api-key'] === undefined ? { authorization: `Bearer ${key}` } : { 'api-key': key };
  }
}

/** Headers that may contain a consumer's own key. */
export const keyHeaders: readonly string[] = [
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'proxy-authorization',
  'cookie',
];

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
