/** Every driver by the key of its step; the code behind one is loaded when a step uses it. */
import type { Driver } from '../../drivers/driver.ts';

export type DriverKind = 'http' | 'tcp' | 'mcp' | 'command';

const loaders: Readonly<Record<DriverKind, () => Promise<unknown>>> = {
  http: async () => (await import('../../drivers/http/http-driver.ts')).httpDriver,
  tcp: async () => (await import('../../drivers/tcp/tcp-driver.ts')).tcpDriver,
  mcp: async () => (await import('../../drivers/mcp/mcp-driver.ts')).mcpDriver,
  command: async () => (await import('../../drivers/command/command-driver.ts')).commandDriver,
};

const loaded = new Map<DriverKind, Driver<unknown>>();

export function isDriverKind(kind: string): kind is DriverKind {
  return Object.hasOwn(loaders, kind);
}

/** Loaded already: a burst and the next step need not wait. */
export function driverAtHand(kind: DriverKind): Driver<unknown> | undefined {
  return loaded.get(kind);
}

export async function loadDriver(kind: DriverKind): Promise<Driver<unknown>> {
  const driver = loaded.get(kind) ?? ((await loaders[kind]()) as Driver<unknown>);
  loaded.set(kind, driver);
  return driver;
}
