/** Sends one callback, and says what the other side answered. */
import type { ClientRequest, RequestOptions } from 'node:http';
import type { Clock } from '../../kernel/clock.ts';
import { peerLimits } from './peer-limits.ts';

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
