/** Makes the call of a callback, with its references filled in, sends it, and says what the other side answered. */
import { createHmac } from 'node:crypto';
import type { ClientRequest, RequestOptions } from 'node:http';
import type { Clock } from '../../kernel/clock.ts';
import { peerLimits } from './peer-limits.ts';
import type { PeerCallback } from './peer-line.ts';

export interface OutgoingCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type CallOutcome = { readonly status: number } | { readonly failed: string };

/** Never rejects. */
export async function sendCallback(
  call: OutgoingCall,
  clock: Clock,
  signal: AbortSignal,
): Promise<CallOutcome> {
  // Node's client takes as long to load as many a service to start; a peer that never calls back does without.
  const { request } = call.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  if (signal.aborted) return { failed: 'the attempt was over' };
  return new Promise((resolve) => {
    const forget = clock.after(peerLimits.callbackWithinMs, () =>
      end({ failed: `no answer within ${peerLimits.callbackWithinMs} ms` }),
    );
    const giveUp = (): void => end({ failed: 'the attempt was over before the answer came' });
    const end = (outcome: CallOutcome): void => {
      forget();
      signal.removeEventListener('abort', giveUp);
      resolve(outcome);
      sent?.destroy();
    };
    let sent: ClientRequest | undefined;
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      sent = write(request, call, end);
    } catch (error) {
      end({ failed: error instanceof Error ? error.message : String(error) }); // a method or a header that HTTP does not have
    }
  });
}

function write(
  request: (url: URL, options: RequestOptions) => ClientRequest,
  { url, method, headers, body }: OutgoingCall,
  end: (outcome: CallOutcome) => void,
): ClientRequest {
  const sent = request(url, { method, headers: { ...headers, connection: 'close' }, agent: false });
  sent.on('error', (error: NodeJS.ErrnoException) => end({ failed: error.code ?? error.message }));
  sent.on('response', (response) => {
    let bytes = 0;
    const status = response.statusCode ?? 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > peerLimits.callbackAnswerBytes) end({ status });
    });
    response.on('end', () => end({ status }));
    response.on('error', (error: NodeJS.ErrnoException) =>
      end({ failed: `the answer was broken off: ${error.code ?? error.message}` }),
    );
  });
  sent.end(body);
  return sent;
}

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
