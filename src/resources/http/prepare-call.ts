/** From a callback, with its references filled in, to the call that goes out. */
import { createHmac } from 'node:crypto';
import type { PeerCallback } from './peer-line.ts';
import type { OutgoingCall } from './send-callback.ts';

export interface CallbackAddresses {
  /** Name to address, as this peer reaches it. */
  readonly named: ReadonlyMap<string, string>;
}

/** Throws an error that says why it cannot be sent. */
export function prepareCall(callback: PeerCallback, addresses: CallbackAddresses): OutgoingCall {
  const { to, method = 'POST', path = '', headers = {}, json, text, sign } = callback;
  const url = addressOf(String(to), String(path), addresses);
  const body = json === undefined ? String(text ?? '') : JSON.stringify(json);
  const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json';
  const written = lowerCased(headers);
  return {
    url,
    method: String(method).toUpperCase(),
    headers: {
      ...(body === '' ? {} : { 'content-type': type }),
      'content-length': String(Buffer.byteLength(body)),
      ...written,
      ...(sign ? { [sign.header.toLowerCase()]: `${sign.prefix ?? ''}${signature(body, sign.secret)}` } : {}),
    },
    body,
  };
}

/**
 * An address that came in a request is used on this machine only: a service that is wired wrongly may have sent one of the
 * real world, and nothing of a trial may arrive there.
 */
function addressOf(to: string, path: string, { named }: CallbackAddresses): URL {
  const known = named.get(to);
  const base = known ?? to;
  const whole = path === '' ? base : `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Error(`\`${to}\` is neither an address nor one of its callbacks (${namesOf(named)})`);
  if (known === undefined && !isNear(url.hostname, named))
    throw new Error(
      `\`${url.host}\` is not on this machine and not one of its callbacks (${namesOf(named)}); nothing was sent`,
    );
  return url;
}

function isNear(hostname: string, named: ReadonlyMap<string, string>): boolean {
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return isLoopback || [...named.values()].some((address) => hostOf(address) === hostname);
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

function namesOf(named: ReadonlyMap<string, string>): string {
  return [...named.keys()].join(', ') || 'it has none';
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function signature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
