/** The context of drivers: addresses from outside, a folder, and a scrubbed environment for programs. */

import type { AttemptResources } from '../../drivers/attempt-resources.ts';
import type { Address, DriverContext } from '../../drivers/driver.ts';
import { openProcessTable } from '../../environment/containment/process-table.ts';
import { namesOfEnd, outside } from '../../environment/wiring/edges.ts';
import { hermeticEnv, makeOwnFolders } from '../../environment/wiring/hermetic-env.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { redirected } from './redirected.ts';

export async function drivingContext(
  environment: LiveEnvironment,
  scratch: string,
  resources: AttemptResources,
  signal: AbortSignal,
): Promise<Omit<DriverContext, 'timeoutMs' | 'folder'>> {
  const { edges } = await environment.ask('status', {});
  const table = openProcessTable();
  const address = (target: string): Address => {
    const edge = edges.find(
      ({ from, to }) => from === outside && namesOfEnd(environment.system, to).includes(target),
    );
    if (!edge) throw noListener(target);
    return toAddress(edge.url);
  };
  return {
    clock: environment.clock,
    signal,
    scratch,
    resources,
    bodyBytes: limits.keptBodyBytes,
    env: hermeticEnv(environment.hostEnv, makeOwnFolders(scratch, 'outside'), environment.environment),
    address,
    redirected: (target, url) => redirected(environment, address, target, url),
    started: async (pid, argv) => {
      const identity = table.identify(pid);
      if (!identity) return async () => undefined;
      await environment.ask('commandStarted', { argv, process: identity });
      return async () => void (await environment.ask('commandEnded', { pid, code: null, signal: null }));
    },
  };
}

function toAddress(url: string): Address {
  const [, scheme = 'tcp', host = '127.0.0.1', port = '0'] =
    /^([a-z][\w+.-]*):\/\/(.+):(\d+)$/.exec(url) ?? [];
  return { scheme, host, port: Number(port), url };
}

function noListener(target: string): Problem {
  return new Problem({
    code: 'config.unknown-name',
    where: `the address of ${target}`,
    what: 'the service has no port that it listens on',
    allowed: 'a service with `listen`, or `service.listener` for one of several',
    next: 'add `listen` to the service in the config',
  });
}
