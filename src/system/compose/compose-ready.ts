/** When a service of a compose file counts as ready, and how it is stopped. */
import { constants } from 'node:os';
import { limits } from '../../kernel/limits.ts';
import { readyByHealth } from '../build/build-ready.ts';
import type { ContainerSpec } from '../container-spec.ts';
import type { ServiceDocument } from '../document/program-document.ts';
import type { ListenSpec, ReadySpec } from '../system.ts';
import type { ComposeService } from './compose-model.ts';
import { composeProblem, fieldOf } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';
import { ComposeValues } from './compose-values.ts';

/** A container takes longer than a process, and some healthchecks are rare. */
const patienceMs = 60_000;
const usual = { intervalMs: 30_000, retries: 3 };

/** Its healthcheck, or that of its image; without one, that one of its ports accepts connections. */
export function composeReady(
  { healthcheck }: Pick<ContainerSpec, 'healthcheck'>,
  listen: readonly ListenSpec[],
): ReadySpec {
  const check = typeof healthcheck === 'object' ? { ...usual, ...healthcheck } : undefined;
  const patient = check ? (check.startPeriodMs ?? 0) + check.intervalMs * check.retries : 0;
  const patience = { withinMs: Math.min(limits.bootWithinMs, Math.max(patienceMs, patient)), inARow: 1 };
  const probes = listen.map(({ name }): ReadySpec => ({ ...patience, probe: 'tcp', listener: name }));
  const otherwise: ReadySpec =
    probes.length === 0 ? { ...patience, probe: 'started' } : { ...patience, probe: 'any', of: probes };
  return healthcheck === 'none' ? otherwise : readyByHealth(otherwise, listen);
}

/** Undefined where the file says nothing: then containers have ten seconds, as with Docker Compose. */
export function composeStop({ node }: ComposeService, report: ComposeReport): ServiceDocument['stop'] {
  const values = new ComposeValues((key) => fieldOf(node, key), report);
  const written = values.text('stop_signal');
  const within = `${values.durationMs('stop_grace_period') || 10_000}ms`;
  if (written === undefined) return { within };
  const name = written.startsWith('SIG') ? written : `SIG${written}`;
  const signals = Object.entries(constants.signals);
  const signal = signals.find(([one, number]) => one === name || String(number) === written)?.[0];
  if (signal === undefined)
    report.problem(
      composeProblem(fieldOf(node, 'stop_signal')?.at ?? node.at, {
        what: `\`stop_signal\` is ${written}, which this machine does not have`,
        allowed: 'SIGTERM, SIGINT, SIGQUIT, SIGUSR1 and the like',
        next: 'name the signal at which the program ends',
      }),
    );
  return { signal: signal ?? 'SIGTERM', within };
}
