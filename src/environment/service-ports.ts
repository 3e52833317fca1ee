/** The ports of one service: chosen by us and passed to it, fixed by the user, or reported by its log. */
import type { Clock } from '../kernel/clock.ts';
import { waitFor } from '../kernel/deadline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { Problem } from '../kernel/problem.ts';
import type { ListenSpec, ServiceSpec } from '../system/system.ts';
import type { EnvironmentContext } from './environment-context.ts';
import { logTail } from './log-tail.ts';
import type { NodeRecord } from './node-record.ts';
import { listeningHost } from './ports/port-owner.ts';
import { searchLog } from './processes/log-search.ts';
import type { Address } from './wiring/address-book.ts';

export interface ChosenPorts {
  readonly byListener: ReadonlyMap<string, number>;
  readonly variables: Readonly<Record<string, string>>;
  /** At least one of them was chosen by us, so that a retry with another may help. */
  readonly chosen: boolean;
}

/**
 * New ports for each process of the service: the previous port may have connections that are still closing, and then
 * some programs cannot listen on it again.
 */
export async function choosePorts(
  context: EnvironmentContext,
  spec: ServiceSpec,
  node: NodeRecord,
): Promise<ChosenPorts> {
  for (const port of node.ports?.byListener.values() ?? []) context.ports.release(port);
  const byListener = new Map<string, number>();
  const variables: Record<string, string> = {};
  let chosen = false;
  for (const { name, how } of spec.listen) {
    if (how.by === 'log') continue;
    const where = `service ${spec.name}, phase start, listener ${name}`;
    const port =
      how.by === 'fixed' ? await context.ports.take(how.port, where) : await context.ports.choose();
    chosen ||= how.by !== 'fixed';
    byListener.set(name, port);
    if (how.by === 'env') variables[how.variable] = String(port);
  }
  node.ports = { byListener, variables, chosen };
  return node.ports;
}

/** Waits for the ports that the service itself reports. */
export async function listenReportedPorts(
  context: EnvironmentContext,
  spec: ServiceSpec,
  node: NodeRecord,
  logOffset: number,
  signal: AbortSignal,
  address: (port: number) => Address = (port) => ({ host: '127.0.0.1', port }),
): Promise<void> {
  await Promise.all(
    spec.listen.map(async ({ name, how }) => {
      if (how.by !== 'log') return;
      const search = searchLog(node.logFile, how.pattern, logOffset);
      const patience = { withinMs: spec.ready.withinMs, mostMs: 25, signal };
      const match = await waitFor(context.clock, patience, () => search.look());
      const port = Number(match?.[1]);
      if (!(port > 0 && port < 65_536)) throw portNotReported(spec, name, how, match?.[0], node.logFile);
      node.addresses.set(name, address(port));
    }),
  );
}

/**
 * The lookup is slow on a machine with many connections, and only a service on IPv6 alone needs it: so it is delayed
 * and rare.
 */
const reconsiderEveryMs = 1_000;

/** The address at which the program listens; some listen on the IPv6 loopback alone. */
export function findLocalAddress(
  node: NodeRecord,
  clock: Clock,
): (listener: string | undefined) => Address | undefined {
  let reconsiderAt = clock.monotonic() + reconsiderEveryMs;
  return (listener) => {
    const known = listener === undefined ? undefined : node.addresses.get(listener);
    if (known?.host !== '127.0.0.1' || !listener || clock.monotonic() < reconsiderAt) return known;
    reconsiderAt = clock.monotonic() + reconsiderEveryMs;
    const address = { host: listeningHost(known.port) ?? known.host, port: known.port };
    node.addresses.set(listener, address);
    return address;
  };
}

function portNotReported(
  spec: ServiceSpec,
  listener: string,
  how: Extract<ListenSpec['how'], { by: 'log' }>,
  line: string | undefined,
  logFile: string,
): Problem {
  return new Problem({
    code: 'boot.port-not-reported',
    where: `service ${spec.name}, phase ready, listener ${listener}`,
    what:
      line === undefined
        ? `no line of its log matched /${how.pattern}/ within ${formatDuration(spec.ready.withinMs)}`
        : `its log line ${JSON.stringify(line)} matched, but the first group is not a port`,
    allowed: 'a log line whose first group is the port: `listen: { log: "listening on .*:(\\d+)" }`',
    next: `compare the pattern with what the service prints: shakedown logs ${spec.name}`,
    evidence: logTail(logFile),
  });
}
