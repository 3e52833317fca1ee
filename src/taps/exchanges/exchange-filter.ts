/** Which exchanges a rule is about. */
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { plainTarget } from '../calls/answer-streams.ts';
import type { ExchangeFilter } from './exchange-rule.ts';

/** As far as the head of the request shows. */
export function fitsHead({ method, path }: ExchangeFilter, head: RequestHead): boolean {
  if (method !== undefined && method.toUpperCase() !== head.method.toUpperCase()) return false;
  return path === undefined || fitsPath(path, pathOf(head.target));
}

export function pathOf(target: string): string {
  const plain = plainTarget(target) ?? target;
  const query = plain.indexOf('?');
  return query === -1 ? plain : plain.slice(0, query);
}

/** `*` matches any characters; whatever the pattern, each character of the path is looked at a few times at most. */
export function fitsPath(pattern: string, path: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
