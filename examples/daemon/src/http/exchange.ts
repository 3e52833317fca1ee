/** One HTTP request and its answer, with limits on time and bytes. */
import { type IncomingMessage, request } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly timeoutMs: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, in the pieces in which it arrived. */
  readonly pieces: readonly Buffer[];
  /** The connection was lost before its end. */
  readonly cut: boolean;
}

const mostBytes = 262_144;

/** Rejects when there is no answer at all. The time covers everything from the connection to the last byte. */
export function exchange({ method, url, headers, json, timeoutMs }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(
          () => asked.destroy(new Error(`no answer within ${Math.round(timeoutMs)} ms`)),
          Math.max(timeoutMs, 1),
        )
      : undefined;
    const body = json === undefined ? '' : JSON.stringify(json);
    let hasBegun = false;
    const asked = request(
      url,
      {
        method,
        agent: false,
        headers: {
          ...headers,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        hasBegun = true;
        gather(response, (error) => asked.destroy(error)).then(resolve, reject);
      },
    );
    asked.once('error', (error) => {
      if (!hasBegun || !isCut(error)) reject(error);
    });
    asked.once('close', () => {
      clearTimeout(timer);
      if (!hasBegun) reject(new Error('the connection was cut'));
    });
    asked.end(body);
  });
}

function gather(response: IncomingMessage, giveUp: (error: Error) => void): Promise<Answered> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const finish = (cut: boolean) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, pieces, cut });
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > mostBytes) giveUp(new Error(`the answer is larger than ${mostBytes} bytes`));
    });
    response.once('end', () => finish(false));
    response.once('error', (error) => (isCut(error) ? finish(true) : reject(error)));
  });
}

/** A time-out on this side is an error; when the other side breaks off, the result is a partial answer. */
function isCut(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET';
}
