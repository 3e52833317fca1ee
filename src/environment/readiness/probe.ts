/** Builds a check from a readiness condition; `all`, `any` and repetition combine several. Probes that connect are in files of their own. */
import { lastOf } from '../../kernel/cut-text.ts';
import type { ReadySpec } from '../../system/system.ts';
import { searchLog } from '../processes/log-search.ts';
import { handshakeProbe } from './handshake-probe.ts';
import { httpProbe } from './http-probe.ts';
import { allOf, anyOf, inARow, isReady, type Look, notReady } from './look.ts';
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
      if (subject.health) return subject.health;
      return spec.otherwise ? createLook(spec.otherwise, subject) : async () => notReady(noHealthcheck);
    case 'started':
      return async () => isReady;
    case 'all':
      return allOf(spec.of.map((part) => createLook(part, subject)));
    case 'any':
      return anyOf(spec.of.map((part) => createLook(part, subject)));
  }
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
