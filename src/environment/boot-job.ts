/** Runs a job once; it must end with 0 within its time limit. */
import { within } from '../kernel/deadline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { Problem, Problems, problemsIn } from '../kernel/problem.ts';
import { untilAborted } from '../kernel/until-aborted.ts';
import type { JobSpec } from '../system/system.ts';
import { containerPorts, isContained } from './containers/container-ports.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import { logTail } from './log-tail.ts';
import { prepareProgram } from './prepare-program.ts';
import { type RunningProcess, startProcess } from './processes/start-process.ts';
import { pythonAdvice } from './python/python-advice.ts';
import { commandOf } from './service-problems.ts';
import { withCompiledCode } from './wiring/compiled-code.ts';

export async function bootJob(
  context: EnvironmentContext,
  spec: JobSpec,
  signal: AbortSignal,
): Promise<void> {
  const node = nodeOf(context, spec.name);
  const key = reusedKey(context);
  if (key !== undefined) {
    context.emit({ type: 'node.reused', kind: 'job', name: spec.name, key });
    node.state = 'done';
    return;
  }
  const { running, argv } = await startJob(context, spec, signal);
  node.process = running;
  node.starts += 1;
  const { pid, container } = running;
  const box = container ? { container: container.name } : {};
  context.emit({ type: 'node.started', kind: 'job', name: spec.name, pid, argv, ...box });
  const exit = await untilAborted(signal, within(context.clock, spec.withinMs, running.exited));
  if (exit === undefined) {
    const late = failed(spec, argv, node.logFile, `it had not ended after ${formatDuration(spec.withinMs)}`);
    await running.stop(undefined, 500).catch((left: unknown) => {
      throw new Problems([late, ...problemsIn(left)]);
    });
    throw late;
  }
  context.emit({ type: 'node.exited', kind: 'job', name: spec.name, ...exit, expected: exit.code === 0 });
  const how = exit.signal ? `it was ended by ${exit.signal}` : `it ended with ${exit.code}`;
  if (exit.code !== 0) throw failed(spec, argv, node.logFile, how);
  node.state = 'done';
}

async function startJob(
  context: EnvironmentContext,
  spec: JobSpec,
  signal: AbortSignal,
): Promise<{ readonly running: RunningProcess; readonly argv: readonly string[] }> {
  const node = nodeOf(context, spec.name);
  if (isContained(spec)) {
    const { startContained } = await import('./containers/start-contained.ts');
    const { running } = await startContained(context, spec, node, containerPorts([]), signal);
    return { running, argv: commandOf(spec) };
  }
  const program = await prepareProgram(context, spec, new Map(), {});
  const env = withCompiledCode(context, program.env);
  const where = { name: `job ${spec.name}`, logFile: node.logFile };
  return { running: await startProcess(context, { ...where, ...program, env }), argv: program.argv };
}

/** The key under which a snapshot of the jobs' work was found; undefined when they have to run. */
function reusedKey({ snapshotKey, nodes }: EnvironmentContext): string | undefined {
  return snapshotKey && nodes.get(snapshotKey.resource)?.resource?.isReused ? snapshotKey.key : undefined;
}

function failed(spec: JobSpec, argv: readonly string[], logFile: string, what: string): Problem {
  const evidence = logTail(logFile);
  return new Problem({
    code: 'boot.job-failed',
    where: `job ${spec.name}, phase run`,
    what: `${what}: ${argv.join(' ')}`,
    allowed: `a job ends with 0 within ${formatDuration(spec.withinMs)} (\`within\`)`,
    next: pythonAdvice(spec, argv, evidence) ?? `read its whole output: shakedown logs ${spec.name}`,
    evidence,
  });
}
