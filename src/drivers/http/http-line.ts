/** One connection over HTTP, for one request at a time; opened when it is needed, and again when the other side closed it. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { driverLimits } from '../driver-limits.ts';

export interface HttpLine {
  readonly client: Client;
  /** Bytes that went out on it, of all requests so far. */
  bytesSent(): number;
  isOpen(): boolean;
  /** Why its connection was lost. */
  failure(): Error | null;
  end(): Promise<void>;
}

/** The caller enforces deadlines; undici's own would conflict with them. `address`: what the host was resolved to. */
export function openLine(origin: string, address?: string): HttpLine {
  let socket: Socket | undefined;
  let before = 0;
  const client = new Client(origin, {
    connect: (options, callback) => {
      before += socket ? flushedBytes(socket) : 0;
      socket = withoutContinue(openSocket(options, address));
      callOnce(socket, options.protocol === 'https:' ? 'secureConnect' : 'connect', callback);
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: driverLimits.keepAliveMs,
    keepAliveMaxTimeout: driverLimits.keepAliveMs,
    maxHeaderSize: driverLimits.headerBytes,
  });
  return {
    client,
    bytesSent: () => before + (socket ? flushedBytes(socket) : 0),
    isOpen: () => socket !== undefined && !socket.destroyed && socket.readable,
    failure: () => socket?.errored ?? null,
    end: async () => {
      socket?.destroy(); // also while it still connects: undici would wait for that
      await client.destroy();
    },
  };
}

function openSocket(
  { hostname, port, protocol, servername: known }: buildConnector.Options,
  address?: string,
): Socket {
  const isSecure = protocol === 'https:';
  const servername = known || (address !== undefined && isIP(hostname) === 0 ? hostname : undefined);
  const place = { host: address ?? hostname, port: Number(port) || (isSecure ? 443 : 80), noDelay: true };
  if (!isSecure) return connectTcp(place);
  return connectTls({ ...place, ALPNProtocols: ['http/1.1'], ...(servername ? { servername } : {}) });
}

/** A server may send an unrequested 100, which undici rejects. It is the first thing after a request. */
function withoutContinue(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  let answeredAt = 0;
  socket.push = (chunk: Buffer | null, encoding) => {
    const isFirst = chunk !== null && socket.bytesWritten > answeredAt;
    const head = isFirst
      ? /^HTTP\/1\.1 100(?=[ \r])[\s\S]*?\r\n\r\n/.exec(chunk.toString('latin1', 0, 1_000))?.[0]
      : undefined;
    if (head === undefined) answeredAt = socket.bytesWritten;
    const rest = head === undefined ? chunk : chunk?.subarray(head.length);
    return rest?.length === 0 ? true : push(rest, encoding);
  };
  return socket;
}

function callOnce(socket: Socket, connected: string, callback: buildConnector.Callback): void {
  const onConnect = (): void => {
    socket.off('error', onError);
    socket.off('close', onClose);
    callback(null, socket);
  };
  const onError = (error: Error): void => {
    socket.off(connected, onConnect);
    socket.off('close', onClose);
    callback(error, null);
  };
  const onClose = (): void => onError(new Error('the connection was given up'));
  socket.once(connected, onConnect);
  socket.once('error', onError);
  socket.once('close', onClose);
}

/** What waits in our own buffers has not gone. */
function flushedBytes(socket: Socket): number {
  return Math.max(0, socket.bytesWritten - socket.writableLength);
}
