/** Performs an action of a trial on one service. */
import { Problem } from '../../kernel/problem.ts';
import { isAttached, whatIsSeen } from '../../system/attached/attached-services.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { killService, stopService } from './end-service.ts';
import type { ServiceAction } from './service-actions.ts';
import { startAgain } from './start-again.ts';

export interface ServiceActed {
  readonly ms: number;
  /** Whether it ran before. */
  readonly wasRunning: boolean;
  /** Null when it is not running now. */
  readonly pid: number | null;
  /** It did not stop within its time limit, and was killed. */
  readonly killed?: true;
}

/** Stopping a stopped service, or starting a running one, changes nothing. */
export async function actOnService(
  context: EnvironmentContext,
  name: string,
  action: ServiceAction,
  signal: AbortSignal,
): Promise<ServiceActed> {
  const { clock } = context;
  const spec = findService(context, name);
  if (isAttached(spec)) throw theirs(spec, action);
  const startedAt = clock.monotonic();
  const wasRunning = runningPid(context, name) !== null;
  const how = await actions[action](context, spec, signal);
  const killed = how === 'killed' ? ({ killed: true } as const) : {};
  return { ms: clock.monotonic() - startedAt, wasRunning, pid: runningPid(context, name), ...killed };
}

type Perform = (
  context: EnvironmentContext,
  spec: ServiceSpec,
  signal: AbortSignal,
) => Promise<'asked' | 'killed' | undefined>;

const start: Perform = async (context, spec, signal) => {
  if (runningPid(context, spec.name) === null) await startAgain(context, [spec], signal);
  return undefined;
};

const actions: Readonly<Record<ServiceAction, Perform>> = {
  start,
  stop: stopService,
  kill: async (context, spec) => {
    await killService(context, spec);
    return undefined;
  },
  pause: (context, spec) => freeze(context, spec, 'pause'),
  resume: (context, spec) => freeze(context, spec, 'resume'),
  restart: async (context, spec, signal) => {
    const how = await stopService(context, spec, signal);
    await start(context, spec, signal);
    return how;
  },
};

async function freeze(
  context: EnvironmentContext,
  { name }: ServiceSpec,
  how: 'pause' | 'resume',
): Promise<undefined> {
  const { process } = nodeOf(context, name);
  if (process && !process.exit()) await process.freeze(how);
}

/** Nothing that a trial has paused is still paused in the next one. */
export async function resumeAll(context: EnvironmentContext): Promise<void> {
  const { services } = context.system;
  await Promise.all(services.map((spec) => freeze(context, spec, 'resume')));
}

/** The outer pid of its process; null while it is not running. */
export function runningPid(context: EnvironmentContext, name: string): number | null {
  const { process } = nodeOf(context, name);
  return process && !process.exit() ? process.pid : null;
}

function theirs({ name }: ServiceSpec, action: ServiceAction): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: `${action}: ${name}`,
    what: `${name} is somebody else's (\`at\`): nothing is done to it`,
    allowed: whatIsSeen,
    next: `leave out \`${action}: ${name}\``,
  });
}

function findService({ system }: EnvironmentContext, name: string): ServiceSpec {
  const spec = system.services.find((service) => service.name === name);
  if (spec) return spec;
  throw new Problem({
    code: 'config.unknown-name',
    where: `service ${name}`,
    what: 'there is no such service',
    allowed: system.services.map((service) => service.name).join(', '),
    next: 'see `shakedown status` for the services of this environment',
  });
}
