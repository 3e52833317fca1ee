/** Problems for services that do not come up, with evidence. */
import { cutText } from '../kernel/cut-text.ts';
import { formatDuration } from '../kernel/duration.ts';
import { Problem } from '../kernel/problem.ts';
import type { ProgramSpec, ServiceSpec } from '../system/system.ts';
import { logTail } from './log-tail.ts';
import type { NodeRecord } from './node-record.ts';
import { portsOf } from './ports/port-owner.ts';
import type { ProcessExit } from './processes/start-process.ts';
import { pythonAdvice } from './python/python-advice.ts';
import { readyText } from './readiness/ready-text.ts';
import type { Readiness } from './readiness/wait-until-ready.ts';

export function exitedTooSoon(
  spec: ServiceSpec,
  argv: readonly string[],
  exit: ProcessExit,
  evidence: readonly string[],
): Problem {
  return new Problem({
    code: 'boot.process-exited',
    where: `service ${spec.name}, phase ready`,
    what: `${subjectOf(spec)} ${exitText(exit)} before it was ready: ${argv.join(' ')}`,
    allowed: 'a service that stays up; a program that ends by itself belongs under `jobs`',
    next:
      pythonAdvice(spec, argv, evidence) ??
      `read its last lines below, or all of them: shakedown logs ${spec.name}`,
    evidence: lastLines(evidence),
    facts: { part: spec.name, ended: exit.code },
  });
}

export function diedAfterReady(
  spec: ServiceSpec,
  exit: ProcessExit,
  evidence: readonly string[],
  booted: boolean,
): Problem {
  return new Problem({
    code: booted ? 'system.service-died' : 'boot.died-after-ready',
    where: `service ${spec.name}, after it was ready`,
    what: `${subjectOf(spec)} ${exitText(exit)}`,
    allowed: 'a service that stays up until it is asked to stop',
    next: `read its last lines below, or all of them: shakedown logs ${spec.name}`,
    evidence: lastLines(evidence),
    facts: { part: spec.name, ended: exit.code },
  });
}

export function neverReady(
  spec: ServiceSpec,
  readiness: Readiness,
  node: NodeRecord,
  { pid, argv }: { readonly pid: number; readonly argv: readonly string[] },
  procRoot: string | undefined,
): Problem {
  const known = [...node.addresses.values()].map(({ port }) => port);
  const others = portsOf(pid, procRoot).filter((port) => !known.includes(port));
  const evidence = logTail(node.logFile);
  const hint = others.length > 0 ? ` The process listens on ${others.join(', ')} instead.` : '';
  return new Problem({
    code: 'boot.never-ready',
    where: `service ${spec.name}, phase ready`,
    what: `not ready within ${formatDuration(spec.ready.withinMs)}, after ${readiness.looks} checks; the last found: ${readiness.saw}.${hint}`,
    allowed: `what it is waited for, within ${formatDuration(spec.ready.withinMs)}: ${cutText(readyText({ ...spec, addresses: node.addresses }), 400)}`,
    // A reloader outlives a child that could not begin.
    next:
      pythonAdvice(spec, argv, evidence) ??
      `read its last lines below, or all of them: shakedown logs ${spec.name}`,
    evidence: lastLines(evidence),
  });
}

/** The words by which a program was started. */
export function commandOf({ run, container }: ProgramSpec): readonly string[] {
  if (!container) return run;
  const { image, build, entrypoint = [], command = [] } = container;
  return [image ?? `(${build?.context})`, ...entrypoint, ...command];
}

function subjectOf({ container }: ProgramSpec): string {
  return container ? 'the container' : 'the process';
}

function exitText(exit: ProcessExit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `ended with ${exit.code}`;
}

function lastLines(lines: readonly string[]): readonly string[] {
  return lines.length > 0
    ? lines
    : ['(its log is empty; a program may buffer its output when there is no terminal)'];
}
