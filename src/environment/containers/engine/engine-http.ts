/** Speaks HTTP to the engine on its socket; what it refuses becomes an error with its own words. */
import type { Duplex, Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { parseExactJson } from '../../../kernel/exact-json.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import { engineLimits } from './engine-limits.ts';
import { noEngine } from './engine-socket.ts';

/** The engine has understood, and refuses. */
export class EngineRefusal extends Error {
  readonly status: number;
  /** The engine's own words. */
  readonly said: string;

  constructor(status: number, said: string) {
    super(said);
    this.name = 'EngineRefusal';
    this.status = status;
    this.said = said;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface EngineAsk {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a tar archive. */
  readonly archive?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  /** For the answer to begin. */
  readonly answerMs?: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';

export type EngineHttp = ReturnType<typeof openEngineHttp>;

/** Each question that waits for its answer has a connection of its own. */
export function openEngineHttp(socket: string) {
  const pool = new Pool('http://engine', { socketPath: socket, connect: { timeout: engineLimits.pingMs } });
  let prefix = '';
  const send = async (method: Method, path: string, options: EngineAsk): Promise<Dispatcher.ResponseData> => {
    const { json, archive, signal, answerMs = engineLimits.answerMs } = options;
    const headers = {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(archive === undefined ? {} : { 'content-type': 'application/x-tar' }),
    };
    const body = json === undefined ? archive : JSON.stringify(json);
    try {
      return await pool.request({
        method,
        path: `${prefix}${path}${queryText(options.query)}`,
        headers,
        headersTimeout: answerMs,
        bodyTimeout: 0,
        ...(body === undefined ? {} : { body: body as Readable }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : unreachable(socket, error);
    }
  };
  const open = async (method: Method, path: string, options: EngineAsk = {}) => {
    const answer = await send(method, path, options);
    if (answer.statusCode < 400) return answer;
    throw new EngineRefusal(answer.statusCode, refusalIn(await textOf(answer.body)));
  };
  return {
    socket,
    /** From here on, with the version of the interface in each path. */
    speak: (version: string): void => {
      prefix = `/v${version}`;
    },
    /** The answer as JSON; undefined where it has no body. */
    ask: async (method: Method, path: string, options: EngineAsk = {}): Promise<unknown> => {
      const { body } = await open(method, path, options);
      const text = await textOf(body);
      return text.trim() === '' ? undefined : parseExactJson(text);
    },
    /** The answer as it comes; without a limit of time. Its headers are needed by few. */
    stream: async (method: Method, path: string, options: EngineAsk = {}): Promise<Readable> =>
      (await open(method, path, options)).body,
    head: async (path: string): Promise<Readonly<Record<string, unknown>>> => {
      const { statusCode, headers, body } = await send('GET', path, { answerMs: engineLimits.pingMs });
      const text = await textOf(body);
      if (statusCode >= 400) throw inTrouble(socket, statusCode, refusalIn(text));
      return headers;
    },
    /** A connection that carries bytes in both directions from the answer on. */
    hijack: async (path: string, json: unknown): Promise<Duplex> => {
      try {
        const { socket: connection } = await pool.upgrade({
          method: 'POST',
          path: `${prefix}${path}`,
          protocol: 'tcp',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        } as Parameters<typeof pool.upgrade>[0]);
        return connection;
      } catch (error) {
        throw unreachable(socket, error);
      }
    },
    close: (): Promise<void> => pool.destroy(),
  };
}

function inTrouble(socket: string, status: number, said: string): Error {
  const what = `what answers at ${socket} refuses even to be asked, with ${status}: ${said}`;
  return noEngine(what, 'see its log (journalctl -u docker); once it works, try again');
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const piece of body.setEncoding('utf8')) {
    text += piece as string;
    if (text.length > engineLimits.answerBytes) throw new Error('the engine gives too long an answer');
  }
  return text;
}

function refusalIn(text: string): string {
  try {
    const { message } = parseExactJson(text) as { message?: unknown };
    return typeof message === 'string' ? message.trim() : text;
  } catch {
    return text.trim() === '' ? 'it gives no reason' : text.trim(); // a proxy in front of it, perhaps
  }
}

const slow = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const gone = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'];
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'];

/** Errors of connections as problems; any other passes. */
function unreachable(socket: string, error: unknown): unknown {
  const code = errorCode(error) ?? '';
  const said = error instanceof Error ? error.message : String(error);
  if (gone.includes(code))
    return noEngine(
      `no engine answers at ${socket}: ${said}`,
      'start it (systemctl start docker), or set DOCKER_HOST to the socket of yours',
      [],
      error,
    );
  if (code === 'EACCES' || code === 'EPERM')
    return noEngine(
      `this user may not use ${socket}: ${said}`,
      'add the user to the group of the socket (sudo usermod -aG docker $USER, then log in again), or use rootless docker or podman',
      [],
      error,
    );
  if (slow.includes(code))
    return noEngine(
      `the engine at ${socket} is too slow: ${said}`,
      'see what it is busy with (docker ps; systemctl status docker), or restart it',
      [],
      error,
    );
  const isNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  if (broken.includes(code) || isNoHttp)
    return noEngine(
      `the engine at ${socket} broke off: ${said}`,
      'see why (journalctl -u docker), and start again',
      [],
      error,
    );
  return error;
}
