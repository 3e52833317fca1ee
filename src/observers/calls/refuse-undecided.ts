/** A call of which only the beginning was kept must not look like one that holds something else. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { isMatch } from '../keep-matching.ts';
import { CannotSee } from '../observer.ts';
import { spokenKeys, withoutKeys } from '../spoken-keys.ts';
import type { CallView } from './call-view.ts';

/** Only where the condition reads what was not kept, and everything else in it holds. */
export function refuseUndecided(where: unknown, calls: readonly CallView[]): void {
  if (!isPlainMap(where)) return;
  const large = calls.filter(({ incomplete }) => incomplete === 'too-large');
  for (const call of large) {
    const unkept = unkeptKeys(call).filter((key) => isRead(where, key));
    if (unkept.length === 0 || !isMatch(withoutKeys(where, unkept), call)) continue;
    const isPlain = unkept.every((key) => key in where);
    if (isPlain && isMatch(where, call)) continue;
    throw new CannotSee(
      `call ${call.crossing} ${call.from} -> ${call.to} was too large to be kept, so that ${unkept.join(' and ')} cannot be compared`,
      'never',
    );
  }
}

/** Keys of which a part, or all, is missing. */
function unkeptKeys(call: CallView): readonly string[] {
  const hasAnswer = call.result !== undefined || call.error !== undefined;
  return [
    ...(isKept(call.request) ? [] : ['request', ...(call.params === undefined ? ['params'] : [])]),
    ...(isKept(call.response) ? [] : ['response']),
    ...(hasAnswer || call.protocol !== 'json-rpc' ? [] : ['result', 'error']),
  ];
}

/** Whether a body is there as it was sent. A stream of events, and what was compressed, cannot be compared with its bytes. */
function isKept(message: unknown): boolean {
  if (!isPlainMap(message) || message.json !== undefined || message.bytes === 0) return true;
  if (typeof message.text !== 'string') return false;
  const isPacked = isPlainMap(message.headers) && message.headers['content-encoding'] !== undefined;
  return !isPacked && Buffer.byteLength(message.text) === message.bytes;
}

/** Head and size of a message are always whole. */
function isRead(where: Readonly<Record<string, unknown>>, key: string): boolean {
  if (!spokenKeys(where).includes(key)) return false;
  const pattern = where[key];
  const spoken = isPlainMap(pattern) ? Object.keys(pattern) : ['everything'];
  return spoken.some((inner) => !['headers', 'bytes', 'status'].includes(inner));
}
