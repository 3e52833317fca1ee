/** Starts a job or service in its container, which is made first where it has none. */
import { cutText, lastOf } from '../../kernel/cut-text.ts';
import type { ContainerSpec } from '../../system/container-spec.ts';
import type { ListenSpec, ProgramSpec } from '../../system/system.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { createLookup } from '../lookup.ts';
import type { NodeRecord } from '../node-record.ts';
import { renderFiles } from '../prepare-program.ts';
import type { RunningProcess } from '../processes/start-process.ts';
import { isReady, type Look, notReady } from '../readiness/look.ts';
import type { ReadinessSubject } from '../readiness/subject.ts';
import type { ChosenPorts } from '../service-ports.ts';
import type { Address } from '../wiring/address-book.ts';
import { makeOwnFolders, shareFolder } from '../wiring/hermetic-env.ts';
import { type Lookup, resolveText } from '../wiring/resolve.ts';
import { checkReach } from './check-reach.ts';
import type { ContainerHost } from './container-host.ts';
import type { ContainerState } from './engine/container-calls.ts';
import { folderInside, prepareContainer } from './prepare-container.ts';
import { runContainer } from './run-container.ts';
import { runInside } from './run-inside.ts';

export type ContainedSpec = ProgramSpec & {
  readonly kind: 'job' | 'service';
  readonly listen?: readonly ListenSpec[];
  readonly container: ContainerSpec;
};

export interface Contained extends Pick<ReadinessSubject, 'runCommand' | 'health'> {
  readonly running: RunningProcess;
  /** Where it listens with this port of its own. */
  address(port: number): Address;
}

export async function startContained(
  context: EnvironmentContext,
  spec: ContainedSpec,
  node: NodeRecord,
  ports: ChosenPorts,
  signal: AbortSignal,
): Promise<Contained> {
  const containers = hostOf(context);
  const lookup = lookupFor(context, spec, ports);
  node.made ??= await make(context, spec, node, ports, lookup, signal);
  const { id } = node.made;
  const { running, state } = await runContainer({ ...context, containers }, node.made);
  const run = async (argv: readonly string[], commandSignal: AbortSignal) => {
    const outerProc = context.hostPids.outerProc;
    const wish = { argv, mostBytes: mostOutput, signal: commandSignal, outerProc };
    const { code, stdout, stderr } = await runInside(containers.engine, id, wish);
    return { code, output: `${stdout}${stderr}` };
  };
  const runCommand: Contained['runCommand'] = (argv, commandSignal) =>
    run(
      argv.map((text) => resolveText(text, lookup, 'readiness command')),
      commandSignal,
    );
  const health = healthLook(state, run);
  return {
    ...{ running, runCommand },
    ...(health ? { health } : {}),
    address: (port) => addressOf(containers, spec, state, port),
  };
}

const mostOutput = 4_000;

export function hostOf({ containers }: EnvironmentContext): ContainerHost {
  if (!containers) throw new Error('no container engine was opened for this environment');
  return containers;
}

function lookupFor(context: EnvironmentContext, { kind, name }: ContainedSpec, ports: ChosenPorts): Lookup {
  const folders = { dir: folderInside, home: '/tmp', tmp: '/tmp' };
  return createLookup(context, { kind, name }, { folders, ports: ports.byListener });
}

async function make(
  context: EnvironmentContext,
  spec: ContainedSpec,
  node: NodeRecord,
  ports: ChosenPorts,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<NonNullable<NodeRecord['made']>> {
  const where = `${spec.kind} ${spec.name}`;
  checkReach(context, { container: spec.container, where });
  const { dir } = makeOwnFolders(context.workspace, spec.name);
  if (spec.files.length > 0) {
    await renderFiles(context, spec, dir, lookup, 0o644);
    // Its user may be another than ours; nobody else reaches the folder around it.
    shareFolder(context.workspace, spec.name);
  }
  const env = Object.entries(spec.env).map(([name, text]) => [
    name,
    resolveText(text, lookup, `${where}, env ${name}`),
  ]);
  node.boxes = (node.boxes ?? 0) + 1;
  const wish = {
    ...{ name: spec.name, container: spec.container, where, signal, logFile: node.logFile },
    env: { ...ports.variables, ...(Object.fromEntries(env) as Record<string, string>) },
    ports: [...ports.byListener.values()],
    folder: spec.files.length > 0 ? dir : undefined,
    resolve: (text: string) => resolveText(text, lookup, `${where}, container`),
  };
  return prepareContainer({ ...context, containers: hostOf(context) }, wish, node.boxes);
}

function addressOf(
  { isDirect, networksOf }: ContainerHost,
  { name, container }: ContainedSpec,
  { addresses, published }: ContainerState,
  port: number,
): Address {
  if (container.hostNamespaces?.includes('network')) return { host: '127.0.0.1', port };
  if (!isDirect) return { host: '127.0.0.1', port: published[`${port}/tcp`] ?? port };
  const [first = ''] = networksOf(name).networks;
  return { host: addresses[first] ?? '127.0.0.1', port };
}

/**
 * Runs the command of the healthcheck itself: the engine waits before it does so for the first time, often for half a
 * minute.
 */
function healthLook(
  { healthTest = [], shell, healthTimeoutMs }: ContainerState,
  run: (argv: readonly string[], signal: AbortSignal) => Promise<{ code: number | null; output: string }>,
): Look | undefined {
  const [how, ...words] = healthTest;
  if (how === undefined || how === 'NONE') return undefined;
  const argv = how === 'CMD-SHELL' ? [...shell, ...words] : words;
  return async (signal) => {
    const limit = healthTimeoutMs > 0 ? [AbortSignal.timeout(healthTimeoutMs)] : [];
    const { code, output } = await run(argv, AbortSignal.any([signal, ...limit]));
    if (code === 0) return isReady;
    const end = code === null ? 'did not end in time' : `ended with ${code}`;
    return notReady(
      `its healthcheck \`${cutText(words.join(' '), 200)}\` ${end}: ${lastOf(output.trim(), 200)}`,
    );
  };
}
