/** Builds a check from a readiness condition; `all`, `any` and repetition combine several. Probes that connect are in files of their own. */
import { lastOf } from '../../kernel/cut-text.ts';
import type { ReadySpec } from '../../system/system.ts';
import { searchLog } from '../processes/log-search.ts';
import { handshakeProbe } from './handshake-probe.ts';
import { httpProbe } from './http-probe.ts';
import { allOf, anyOf, inARow, inTurn, isReady, type Look, notReady, sparingly } from './look.ts';
import type { ReadinessSubject } from './subject.ts';
import { tcpProbe } from './tcp-probe.ts';

export function createLook(spec: ReadySpec, subject: ReadinessSubject): Look {
  const look = leafOrBranch(spec, subject);
  return spec.inARow > 1 ? inARow(spec.inARow, look) : look;
}

function leafOrBranch(spec: ReadySpec, subject: ReadinessSubject): Look {
  switch (spec.probe) {
    case 'http':
      return httpProbe(spec, subject);
    case 'tcp':
      return tcpProbe(spec, subject);
    case 'handshake':
      return handshakeProbe(spec, subject);
    case 'command':
      return commandProbe(spec.run, subject);
    case 'log':
      return logProbe(spec.pattern, subject);
    case 'health':
      return healthLook(spec, subject);
    case 'started':
      return async () => isReady;
    case 'all':
      return allLook(spec.of, subject);
    case 'any':
      return anyOf(spec.of.map((part) => createLook(part, subject)));
  }
}

function healthLook({ otherwise }: Extract<ReadySpec, { probe: 'health' }>, subject: ReadinessSubject): Look {
  const sign = otherwise && createLook(otherwise, subject);
  if (!subject.health) return sign ?? (async () => notReady(noHealthcheck));
  return sign ? sparingly(sign, subject.health, subject.clock) : subject.health;
}

/** What starts a program in a container takes from the one that it asks about: so it comes last. */
function allLook(parts: readonly ReadySpec[], subject: ReadinessSubject): Look {
  const look = (some: readonly ReadySpec[]): Look => allOf(some.map((part) => createLook(part, subject)));
  const others = parts.filter(({ probe }) => probe !== 'health');
  const health = parts.filter(({ probe }) => probe === 'health');
  return health.length === 0 || others.length === 0 ? look(parts) : inTurn(look(others), look(health));
}

const noHealthcheck = 'neither its image nor the config has a healthcheck';

export function commandProbe(run: readonly string[], subject: ReadinessSubject): Look {
  return async (signal) => {
    const { code, output } = await subject.runCommand(run, signal);
    return code === 0
      ? isReady
      : notReady(`\`${run.join(' ')}\` ended with ${code ?? 'a signal'}: ${lastOf(output.trim(), 200)}`);
  };
}

export function logProbe(pattern: string, subject: ReadinessSubject): Look {
  const search = searchLog(subject.logFile, pattern, subject.logOffset);
  return async () => (search.look() ? isReady : notReady(`no line of its log matches /${pattern}/`));
}
