/** Meets the engine: which one it is, and which version of its interface both know. */

import { type EngineHttp, openEngineHttp } from './engine-http.ts';
import { noEngine } from './engine-socket.ts';

export interface Engine {
  readonly http: EngineHttp;
  readonly socket: string;
  readonly isPodman: boolean;
  /** Of its interface, such as `1.41`. */
  readonly api: string;
  close(): Promise<void>;
}

/** The newest that this client was written for, and the oldest with all that it needs. */
const newest = '1.47';
const oldest = '1.40';

export async function openEngine(socket: string): Promise<Engine> {
  const http = openEngineHttp(socket);
  try {
    const headers = await http.head('/_ping');
    const spoken = String(headers['api-version'] ?? '');
    const api = isBefore(newest, spoken) ? newest : spoken;
    if (!/^\d+\.\d+$/.test(api) || isBefore(api, oldest)) throw unknownEngine(socket, spoken);
    http.speak(api);
    const isPodman = headers['libpod-api-version'] !== undefined;
    return { http, socket, isPodman, api, close: http.close };
  } catch (error) {
    await http.close();
    throw error;
  }
}

export function isBefore(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

function unknownEngine(socket: string, spoken: string): Error {
  return noEngine(
    spoken === ''
      ? `what answers at ${socket} is no container engine`
      : `the engine at ${socket} speaks version ${spoken} of the interface`,
    `use docker 19.03 or newer, or podman 4 or newer (version ${oldest} of the interface)`,
  );
}
