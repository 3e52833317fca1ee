/** What a call asks for, in a few words. Pure. */
import type { CallEvent } from '../journal/call-event.ts';
import { isMap } from '../kernel/is-map.ts';

export function callName({ method, path, params, protocol, statement }: CallEvent): string {
  if (statement !== undefined) return statement.replaceAll(/\s+/g, ' ').trim();
  const tool = isMap(params) && typeof params.name === 'string' ? ` ${params.name}` : '';
  return protocol === 'json-rpc' ? `${method}${tool}` : `${method} ${path}`;
}
