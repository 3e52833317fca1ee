/** Where an answer points, and what is asked there. */

export interface Hop {
  readonly method: string;
  readonly url: string;
  /** The body goes along. */
  readonly keepsBody: boolean;
  /** Another party than the one that was asked: what is meant for that one alone stays here. */
  readonly isForeign: boolean;
}

/** Undefined when the answer is the last one. */
export function nextHop(
  status: number,
  location: string | undefined,
  from: { readonly method: string; readonly url: string },
): Hop | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = URL.canParse(location, from.url) ? new URL(location, from.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  const becomesGet = (status === 303 && from.method !== 'HEAD') || (status < 303 && from.method === 'POST');
  return {
    method: becomesGet ? 'GET' : from.method,
    url: url.href,
    keepsBody: !becomesGet,
    isForeign: url.origin !== new URL(from.url).origin,
  };
}
