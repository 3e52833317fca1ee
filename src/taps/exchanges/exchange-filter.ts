/** Which exchanges a rule is about. */
import { fitsStars } from '../../kernel/fits-stars.ts';
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { plainTarget } from '../calls/answer-streams.ts';
import type { ExchangeFilter } from './exchange-rule.ts';

/** As far as the head of the request shows. */
export function fitsHead({ method, path }: ExchangeFilter, head: RequestHead): boolean {
  if (method !== undefined && method.toUpperCase() !== head.method.toUpperCase()) return false;
  return path === undefined || fitsStars(path, pathOf(head.target));
}

export function pathOf(target: string): string {
  const plain = plainTarget(target) ?? target;
  const query = plain.indexOf('?');
  return query === -1 ? plain : plain.slice(0, query);
}
