/** The path and query of a request as they are sent: nothing is normalised away, because odd paths are what some trials are about. */
import type { Address } from '../driver.ts';

/** HTTP can be tried on any port, whatever scheme its service was declared with. */
export function originOf({ scheme, host, port }: Address): string {
  return `${scheme === 'https' ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function requestPath(path: string, query: Readonly<Record<string, string>> = {}): string {
  const absolute = path.startsWith('/') ? path : `/${path}`;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`,
  );
  const joint = absolute.includes('?') ? '&' : '?';
  return sendable(pairs.length === 0 ? absolute : `${absolute}${joint}${pairs.join('&')}`);
}

/** A space or a letter beyond ASCII would end the request line, or the request. */
function sendable(path: string): string {
  if (!/[^\x21-\x7e]/.test(path)) return path;
  return [...path.toWellFormed()]
    .map((letter) => (/[\x21-\x7e]/.test(letter) ? letter : percentEncoded(letter)))
    .join('');
}

function percentEncoded(letter: string): string {
  return [...Buffer.from(letter)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}
