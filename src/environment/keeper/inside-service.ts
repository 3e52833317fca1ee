/** Runs a command inside of the container of a service, for a step of a trial. */
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';

export interface InsideParams {
  readonly service: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly withinMs: number;
  /** Of each output. */
  readonly mostBytes: number;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface InsideAnswer {
  /** Null when it had not ended in time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export async function runInsideService(
  context: EnvironmentContext,
  { service, argv, env, withinMs, mostBytes, cwd, stdin }: InsideParams,
): Promise<InsideAnswer> {
  const { containers, hostPids } = context;
  const spec = context.system.services.find(({ name }) => name === service);
  const process = spec && nodeOf(context, spec.name).process;
  if (!containers || !process?.container) throw noContainer(context, service);
  if (process.exit()) throw notRunning(service);
  const { runInside } = await import('../containers/run-inside.ts');
  const signal = AbortSignal.timeout(Math.max(1, withinMs));
  const limits = { mostBytes, signal, outerProc: hostPids.outerProc };
  const wish = { argv, env, ...limits, ...defined({ cwd, stdin }) };
  const result = await runInside(containers.engine, process.container.id, wish);
  return { ...result, stdout: utf8Text(result.stdout), stderr: utf8Text(result.stderr) };
}

function noContainer({ system }: EnvironmentContext, service: string): Problem {
  const boxed = system.services.filter(({ container }) => container).map(({ name }) => name);
  return new Problem({
    code: 'config.bad-value',
    where: `service ${service}`,
    what: 'it is no container, and a command can run inside of a container only',
    allowed: boxed.length > 0 ? boxed.join(', ') : 'a service with `image` or `build`; there is none',
    next: 'leave `in` out: the command runs on this machine then',
  });
}

function notRunning(service: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: `service ${service}`,
    what: 'its container does not run now',
    allowed: 'a service that runs',
    next: `start it before: \`start: ${service}\``,
  });
}
