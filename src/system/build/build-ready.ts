/** Turns a readiness condition, as written, into the algebra that the environment probes. */
import { defined } from '../../kernel/defined.ts';
import { durationMs, maybeMs } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import type { ReadyDocument } from '../document/ready-document.ts';
import type { ListenSpec, ReadyCondition, ReadySpec } from '../system.ts';

/**
 * Without a condition: every port accepts connections, or, without ports, the process runs; a container with a
 * healthcheck waits for that.
 */
export function buildReady(
  document: ReadyDocument | undefined,
  listen: readonly ListenSpec[],
  isContainer = false,
): ReadySpec {
  if (document !== undefined) return toSpec(document, limits.readyWithinMs);
  const otherwise = defaultReady(listen);
  return isContainer ? readyByHealth(otherwise, listen) : otherwise;
}

/**
 * By its healthcheck, if it has one. The images of some databases first start a server for themselves, without a port,
 * and the usual checks find it on its socket: of these the port is waited for as well.
 */
export function readyByHealth(otherwise: ReadySpec, listen: readonly ListenSpec[]): ReadySpec {
  const patience = { withinMs: otherwise.withinMs, inARow: 1 };
  const health: ReadySpec = { ...patience, probe: 'health', otherwise };
  const ports = listen.filter(({ how }) => how.by === 'fixed' && portsOfTwoServers.includes(how.port));
  if (ports.length === 0) return health;
  const open = ports.map(({ name }): ReadySpec => ({ ...patience, probe: 'tcp', listener: name }));
  return { ...patience, probe: 'all', of: [health, ...open] };
}

/** MySQL and MariaDB, PostgreSQL, MongoDB. */
const portsOfTwoServers = [3306, 5432, 27_017];

function defaultReady(listen: readonly ListenSpec[]): ReadySpec {
  const patience = { withinMs: limits.readyWithinMs, inARow: 1 };
  const probes = listen.map(({ name }): ReadySpec => ({ ...patience, probe: 'tcp', listener: name }));
  const [only] = probes;
  if (only === undefined) return { ...patience, probe: 'started' };
  return probes.length === 1 ? only : { ...patience, probe: 'all', of: probes };
}

function toSpec(document: ReadyDocument, inheritedMs: number): ReadySpec {
  const withinMs = durationMs(document.within, inheritedMs);
  const everyMs = maybeMs(document.every);
  const inARow = document.inARow ?? 1;
  return { ...defined({ withinMs, everyMs, inARow }), ...toCondition(document, withinMs) };
}

function toCondition(document: ReadyDocument, withinMs: number): ReadyCondition {
  const { http, tcp, handshake, command, log, health, allOf, anyOf, listener, firstBytes, send } = document;
  if (http !== undefined) {
    const { status, json, body } = document;
    return { probe: 'http', path: http, ...defined({ listener, status, json, body, firstBytes }) };
  }
  if (tcp !== undefined)
    return { probe: 'tcp', ...defined({ listener: tcp === true ? listener : tcp, send, firstBytes }) };
  if (handshake) return { probe: 'handshake', ...defined({ listener }), ...handshake };
  if (command) return { probe: 'command', run: command };
  if (log !== undefined) return { probe: 'log', pattern: log };
  if (health) return { probe: 'health' };
  const of = (allOf ?? anyOf ?? []).map((condition) => toSpec(condition, withinMs));
  return { probe: allOf ? 'all' : 'any', of };
}
