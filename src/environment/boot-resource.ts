/** Provisions a resource and watches its process. */
import path from 'node:path';
import { secretValues } from '../journal/redaction.ts';
import { defined } from '../kernel/defined.ts';
import { makeFolderBelow } from '../kernel/folders/entries-below.ts';
import { Problem } from '../kernel/problem.ts';
import { resourceKind } from '../kinds/resource-kinds.ts';
import type { Consumer, ResourceContext } from '../resources/resource.ts';
import { driverFor } from '../resources/table/resource-drivers.ts';
import type { ResourceSpec } from '../system/system.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import { logTail } from './log-tail.ts';
import { createLookup } from './lookup.ts';
import { startProcess } from './processes/start-process.ts';
import { snapshotObstacle } from './snapshots/snapshot-obstacle.ts';
import { findUses } from './wiring/edges.ts';
import { hermeticEnv, makeOwnFolders } from './wiring/hermetic-env.ts';
import { resolveKnown } from './wiring/resolve.ts';
import { withResourceUrl } from './wiring/resource-url.ts';

export async function bootResource(
  context: EnvironmentContext,
  spec: ResourceSpec,
  signal: AbortSignal,
): Promise<void> {
  const node = nodeOf(context, spec.name);
  const driver = await driverFor(spec);
  const provisioned = await driver.provision(
    withResourceUrl(spec, context.hostEnv),
    resourceContext(context, spec, signal),
  );
  node.resource = provisioned;
  node.state = 'ready';
  void provisioned.died.then((because) => {
    if (context.isStopping()) return;
    node.state = 'exited';
    const exit = { code: null, signal: because, expected: false };
    context.emit({ type: 'node.exited', kind: 'resource', name: spec.name, ...exit });
    context.onDeath(node, died(spec.name, because, logTail(node.logFile)));
  });
}

function resourceContext(
  context: EnvironmentContext,
  spec: ResourceSpec,
  signal: AbortSignal,
): ResourceContext {
  const { clock, random, label, hostEnv, cacheFolder } = context;
  const folder = path.join(context.workspace, spec.name);
  makeFolderBelow(path.dirname(context.workspace), folder, 0o711);
  const node = nodeOf(context, spec.name);
  return {
    clock,
    random: random.fork(`resource/${spec.name}`),
    label,
    folder,
    cacheFolder,
    logFile: node.logFile,
    consumers: consumersOf(context, spec),
    ...snapshotWishes(context, spec),
    signal,
    emit: context.emit,
    at: () => context.at?.() ?? 0,
    systemFolder: context.system.folder,
    secrets: secretValues(context.system.secrets, hostEnv),
    resolve: (text) => resolveKnown(text, createLookup(context, { kind: 'job', name: spec.name }, undefined)),
    ...defined({ tool: context.tool }),
    hostEnv,
    choosePort: () => context.ports.choose(),
    start: async (options) => {
      const folders = makeOwnFolders(context.workspace, spec.name);
      const env = { ...hermeticEnv(hostEnv, folders, label), ...options.env };
      const running = await startProcess(context, {
        ...options,
        name: `resource ${spec.name}`,
        logFile: node.logFile,
        env,
      });
      if (!options.step) {
        const { pid } = running;
        context.emit({ type: 'node.started', kind: 'resource', name: spec.name, pid, argv: options.argv });
      }
      return {
        pid: running.pid,
        exited: running.exited,
        stop: async (asked, ms) => void (await running.stop(asked, ms)),
      };
    },
    startContainer: async (options) => {
      const { containers } = context;
      if (!containers) throw new Error(`no container engine was opened for ${spec.name}`);
      const { startResourceContainer } = await import('./containers/resource-container.ts');
      const { name } = spec;
      const wish = { ...options, name, logFile: node.logFile, signal };
      const running = await startResourceContainer({ ...context, containers }, wish);
      const argv = [options.image, ...options.command];
      context.emit({ type: 'node.started', kind: 'resource', name, pid: running.pid, argv });
      return running;
    },
    intend: async (thing) => context.ledger.write({ entry: 'outside', thing }),
  };
}

function snapshotWishes(context: EnvironmentContext, spec: ResourceSpec): Pick<ResourceContext, 'snapshots'> {
  const { name } = spec;
  const isStore = resourceKind(spec).isStore === true;
  if (!context.snapshots || !isStore || snapshotObstacle(context.system, name) !== undefined) return {};
  const { snapshotKey } = context;
  return { snapshots: snapshotKey?.resource === name ? { key: snapshotKey.key } : {} };
}

function consumersOf(context: EnvironmentContext, spec: ResourceSpec): Consumer[] {
  const names = new Set(findUses(context.system).flatMap(({ from, to }) => (to === spec.name ? [from] : [])));
  const { jobs, services } = context.system;
  return [...jobs, ...services].flatMap(({ kind, name }) => (names.has(name) ? [{ kind, name }] : []));
}

function died(name: string, because: string, evidence: readonly string[]): Problem {
  return new Problem({
    code: 'boot.resource-failed',
    where: `resource ${name}, after it was ready`,
    what: `it died: ${because}`,
    allowed: 'a resource that stays up until the environment goes down',
    next: `read its log: shakedown logs ${name}`,
    evidence,
  });
}
