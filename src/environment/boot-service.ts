/** Starts a service and waits until it is ready, dead or timed out; retries with a new port when its port was taken. */
import { statSync } from 'node:fs';
import { limits } from '../kernel/limits.ts';
import { Problems, problemsIn } from '../kernel/problem.ts';
import { untilAborted } from '../kernel/until-aborted.ts';
import type { ServiceSpec } from '../system/system.ts';
import { containerPorts, isContained } from './containers/container-ports.ts';
import type { Contained, ContainedSpec } from './containers/start-contained.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import { logTail } from './log-tail.ts';
import type { NodeRecord } from './node-record.ts';
import { prepareProgram } from './prepare-program.ts';
import { type RunningProcess, startProcess } from './processes/start-process.ts';
import { runCommand } from './readiness/run-command.ts';
import type { ReadinessSubject } from './readiness/subject.ts';
import { waitUntilReady } from './readiness/wait-until-ready.ts';
import { type ChosenPorts, choosePorts, findLocalAddress, listenReportedPorts } from './service-ports.ts';
import { commandOf, diedAfterReady, exitedTooSoon, neverReady } from './service-problems.ts';
import { withCompiledCode } from './wiring/compiled-code.ts';
import { withShims } from './wiring/shims.ts';

export async function bootService(
  context: EnvironmentContext,
  spec: ServiceSpec,
  signal: AbortSignal,
): Promise<void> {
  const node = nodeOf(context, spec.name);
  for (let attempt = 0; ; attempt += 1) {
    const ports = spec.container ? containerPorts(spec.listen) : await choosePorts(context, spec, node);
    const life = await startLife(context, spec, node, ports, signal);
    const outcome = await awaitReadiness(life, signal);
    if (outcome === 'ready') {
      node.state = 'ready';
      const tookMs = context.clock.monotonic() - life.startedAt;
      node.readyMs = Math.min(node.readyMs ?? tookMs, tookMs);
      watchOver(life);
      return;
    }
    if (startsAgain(life, attempt)) continue;
    if (attempt >= limits.portRetries || !ports.chosen || !portWasSnatched(node.logFile)) throw outcome;
    const taken = [...ports.byListener.values()][0] as number;
    context.emit({ type: 'port.retried', name: spec.name, taken, attempt: attempt + 1 });
  }
}

/** One process of a service. */
interface Life {
  readonly context: EnvironmentContext;
  readonly spec: ServiceSpec;
  readonly node: NodeRecord;
  readonly running: RunningProcess;
  /** As it was started: an interpreter of Python is found then. */
  readonly argv: readonly string[];
  readonly runCommand: ReadinessSubject['runCommand'];
  /** Of a container. */
  readonly contained?: Contained;
  /** Where the log of this process begins. */
  readonly logOffset: number;
  readonly startedAt: number;
}

async function startLife(
  context: EnvironmentContext,
  spec: ServiceSpec,
  node: NodeRecord,
  ports: ChosenPorts,
  signal: AbortSignal,
): Promise<Life> {
  const logOffset = statSync(node.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const life = isContained(spec)
    ? await startContainer(context, spec, node, ports, signal)
    : await startOwnProcess(context, spec, node, ports);
  const { running, argv, contained } = life;
  node.process = running;
  node.starts += 1;
  node.addresses.clear();
  for (const [listener, port] of ports.byListener)
    node.addresses.set(listener, contained?.address(port) ?? { host: '127.0.0.1', port });
  const { pid, container } = running;
  const box = container ? { container: container.name } : {};
  context.emit({ type: 'node.started', kind: 'service', name: spec.name, pid, argv, ...box });
  return { context, spec, node, ...life, logOffset, startedAt: context.clock.monotonic() };
}

type Started = Pick<Life, 'running' | 'argv' | 'runCommand' | 'contained'>;

async function startOwnProcess(
  context: EnvironmentContext,
  spec: ServiceSpec,
  node: NodeRecord,
  ports: ChosenPorts,
): Promise<Started> {
  const program = await prepareProgram(context, spec, ports.byListener, ports.variables);
  const running = await startProcess(context, {
    name: `service ${spec.name}`,
    logFile: node.logFile,
    endsItsOwn: spec.stop.to === 'main',
    ...withShims(context.workspace, spec, {
      ...program,
      env: withCompiledCode(context, program.env),
    }),
  });
  return { running, argv: program.argv, runCommand: (argv, signal) => runCommand(program, argv, signal) };
}

async function startContainer(
  context: EnvironmentContext,
  spec: ServiceSpec & ContainedSpec,
  node: NodeRecord,
  ports: ChosenPorts,
  signal: AbortSignal,
): Promise<Started> {
  const { startContained } = await import('./containers/start-contained.ts');
  const contained = await startContained(context, spec, node, ports, signal);
  return { ...contained, contained, argv: commandOf(spec) };
}

/** A container that may end before it is ready, as one that waits for others by ending. */
function startsAgain({ spec: { container }, running }: Life, attempt: number): boolean {
  const exit = running.exit();
  const { when, most = limits.containerRestarts } = container?.restart ?? {};
  if (!exit || when === undefined || attempt >= most) return false;
  return when === 'always' || exit.code !== 0;
}

/** 'ready', or the problem that explains why not. Rejects only when the boot is aborted. */
async function awaitReadiness(life: Life, signal: AbortSignal): Promise<'ready' | Error> {
  const { context, spec, node, running } = life;
  const decided = new AbortController();
  const died = running.exited.then((exit) => exitedTooSoon(spec, life.argv, exit, logTail(node.logFile)));
  const looked = lookUntilReady(life, AbortSignal.any([signal, decided.signal]));
  try {
    const outcome = await untilAborted(signal, Promise.race([died, looked]));
    const exit = running.exit();
    if (exit)
      context.emit({ type: 'node.exited', kind: 'service', name: spec.name, ...exit, expected: false });
    else if (outcome !== 'ready')
      await running.stop(spec.stop.signal, 500).catch((left: unknown) => {
        throw new Problems([outcome, left].flatMap(problemsIn));
      });
    // A program may answer and exit at once: then the exit counts.
    return exit ? await died : outcome;
  } finally {
    decided.abort(new Error('readiness is decided'));
    await looked.catch(() => undefined); // the look was given up, as it should be
  }
}

async function lookUntilReady(life: Life, signal: AbortSignal): Promise<'ready' | Error> {
  const { context, spec, node, logOffset, running, contained } = life;
  await listenReportedPorts(context, spec, node, logOffset, signal, contained?.address);
  const address = findLocalAddress(node, context.clock);
  const subject: ReadinessSubject = {
    name: spec.name,
    clock: context.clock,
    logFile: node.logFile,
    logOffset,
    readyBeforeMs: node.readyMs,
    address: (listener) => address(listener ?? spec.listen[0]?.name),
    runCommand: life.runCommand,
    ...(contained?.health ? { health: contained.health } : {}),
  };
  const readiness = await waitUntilReady(spec.ready, subject, signal);
  return readiness.ready
    ? 'ready'
    : neverReady(spec, readiness, node, { pid: running.pid, argv: life.argv }, context.hostPids.outerProc);
}

function watchOver({ context, spec, node, running }: Life): void {
  void running.exited.then((exit) => {
    if (context.isStopping()) return;
    const expected = node.ending === running;
    node.state = expected ? 'stopped' : 'exited';
    context.emit({ type: 'node.exited', kind: 'service', name: spec.name, ...exit, expected });
    if (expected) return;
    context.onDeath(node, diedAfterReady(spec, exit, logTail(node.logFile), context.isBooted()));
  });
}

function portWasSnatched(logFile: string): boolean {
  return logTail(logFile).some((line) => /EADDRINUSE|address already in use/i.test(line));
}
