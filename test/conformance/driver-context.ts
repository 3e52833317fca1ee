/** The context that a driver gets from its caller, with a record of the processes that it reported. */
import { openAttemptResources } from '../../src/drivers/attempt-resources.ts';
import type { Address, DriverContext } from '../../src/drivers/driver.ts';
import { systemClock } from '../../src/kernel/clock.ts';

export interface TestContext extends DriverContext {
  giveUp(): void;
  /** Groups that are still there, and processes whose end was not reported. */
  leftProcesses(): readonly string[];
  end(): Promise<readonly string[]>;
}

export interface ContextOptions {
  readonly folder: string;
  readonly scratch: string;
  readonly timeoutMs?: number;
  readonly bodyBytes?: number;
  /** By name; any other target is unknown. */
  readonly addresses?: Readonly<Record<string, Address>>;
}

export function driverContext(wish: ContextOptions): TestContext {
  const controller = new AbortController();
  const resources = openAttemptResources();
  const shown = new Set<number>();
  const groups = new Set<number>();
  return {
    clock: systemClock,
    signal: controller.signal,
    timeoutMs: wish.timeoutMs ?? 20_000,
    folder: wish.folder,
    scratch: wish.scratch,
    env: { PATH: process.env.PATH ?? '' },
    bodyBytes: wish.bodyBytes ?? 100_000,
    resources,
    address: (target) => {
      const address = wish.addresses?.[target];
      if (!address) throw new Error(`there is no service \`${target}\``);
      return address;
    },
    started: async (pid) => {
      shown.add(pid);
      groups.add(pid);
      return async () => {
        shown.delete(pid);
      };
    },
    giveUp: () => controller.abort(new Error('given up')),
    leftProcesses: () => [
      ...[...groups].filter(isThere).map((pid) => `group ${pid} runs`),
      ...[...shown].map((pid) => `the end of ${pid} was not told`),
    ],
    end: () => resources.end(),
  };
}

export function addressOf(port: number, scheme = 'http'): Address {
  return { scheme, host: '127.0.0.1', port, url: `${scheme}://127.0.0.1:${port}` };
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
