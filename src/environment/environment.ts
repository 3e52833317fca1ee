/** One disposable instance of a system: boots it, changes it, and removes all of it again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cutText } from '../kernel/cut-text.ts';
import { within } from '../kernel/deadline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { Problem } from '../kernel/problem.ts';
import { createRandom } from '../kernel/random.ts';
import { bootGraph } from './boot-graph.ts';
import { bootStep } from './boot-node.ts';
import { hasContainers } from './containers/has-containers.ts';
import type { EnvironmentContext } from './environment-context.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { targetOf } from './lookup.ts';
import type { NodeRecord } from './node-record.ts';
import { createPortChooser } from './ports/port-chooser.ts';
import { worldProblem } from './processes/world-problem.ts';
import { readyText } from './readiness/ready-text.ts';
import { logBeginning, logFile } from './run-folder.ts';
import { bootOrder } from './snapshots/boot-order.ts';
import { declaredNodes } from './snapshots/declared-nodes.ts';
import { snapshotKey } from './snapshots/snapshot-key.ts';
import { stopGraph } from './stop-graph.ts';
import { endAll, stopNode } from './stop-node.ts';
import { createTeardown, type Teardown, type TeardownFailure } from './teardown.ts';
import { emptyAddressBook, openAddressBook } from './wiring/address-book.ts';
import { hasCompiledCode } from './wiring/compiled-code.ts';
import { stdioEdgesOf } from './wiring/stdio-edge.ts';

export interface Environment {
  readonly context: EnvironmentContext;
  /** Resolves when everything is ready; rejects with the problems. Boots only once. */
  boot(): Promise<void>;
  /** Removes everything; may be called at any time, and more than once. `forceStop` skips the graceful shutdown. */
  stop(how: { readonly forceStop: boolean }): Promise<readonly TeardownFailure[]>;
  /** Ends the graceful shutdown of a stop that is under way. */
  forceStop(): void;
  /** Runs changes one at a time; aborted when the environment goes down. */
  change<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** The lifecycle state. */
interface Progress {
  booted: boolean;
  stopping: boolean;
  /** Aborted to skip the graceful shutdown. */
  readonly forceStop: AbortController;
}

export function createEnvironment(options: EnvironmentOptions): Environment {
  const { clock, system } = options;
  const teardown = createTeardown(clock);
  const abort = new AbortController();
  const progress: Progress = { booted: false, stopping: false, forceStop: new AbortController() };
  const context = createContext(options, abort, progress);
  let booting: Promise<void> | undefined;
  let changing: Promise<unknown> = Promise.resolve();
  return {
    context,
    boot: () => {
      booting ??= boot(context, teardown, abort, progress);
      return booting;
    },
    stop: async (how) => {
      progress.stopping = true;
      if (how.forceStop) progress.forceStop.abort();
      abort.abort(new Error('the environment is going down'));
      await booting?.catch(() => undefined); // whoever asked for the boot hears of its failure
      await within(clock, system.teardown.withinMs, changing);
      return teardown.run(system.teardown.withinMs);
    },
    forceStop: () => progress.forceStop.abort(),
    change: (work) => {
      const turn = changing.then(async () => {
        if (!progress.booted || progress.stopping) throw notUp(progress.stopping);
        return work(abort.signal).catch((error: unknown) => {
          throw error === abort.signal.reason ? notUp(true) : error;
        });
      });
      changing = turn.catch(() => undefined); // whoever asked for the change hears of its failure
      return turn;
    },
  };
}

function createContext(
  options: EnvironmentOptions,
  abort: AbortController,
  progress: Progress,
): EnvironmentContext {
  const random = createRandom(options.seed);
  return {
    ...options,
    random,
    ports: createPortChooser(random.fork('ports'), options.hostPids.outerProc),
    started: new Set(),
    lastUses: [],
    nodes: recordsFor(options),
    book: emptyAddressBook,
    disturbed: new Set(),
    stdioEdges: stdioEdgesOf(options.system, options),
    stdioRules: new Map(),
    hasCompiledCode: hasCompiledCode(options),
    isStopping: () => progress.stopping,
    isBooted: () => progress.booted,
    onDeath: (node, problem) => {
      if (!progress.booted) abort.abort(problem);
      else options.onDeath?.(node, problem);
    },
  };
}

async function boot(
  context: EnvironmentContext,
  teardown: Teardown,
  abort: AbortController,
  progress: Progress,
): Promise<void> {
  const { clock, system } = context;
  const cancel = clock.after(system.boot.withinMs, () => abort.abort(tooSlow(context)));
  try {
    await prepare(context, teardown, progress);
    if (context.snapshots) context.snapshotKey = await snapshotKey(context);
    const steps = bootOrder(system, context.snapshots ?? false);
    await bootGraph(steps, clock, abort, (step, signal) => bootStep(context, step, signal));
    abort.signal.throwIfAborted();
    progress.booted = true;
  } catch (error) {
    throw worldProblem(error, 'boot');
  } finally {
    cancel();
  }
}

/** Creates folders and taps; each undo is registered before the action. */
async function prepare(context: EnvironmentContext, teardown: Teardown, progress: Progress): Promise<void> {
  const { system, clock, emit } = context;
  const declared = declaredNodes(system);
  for (const { kind, name, after } of declared) emit({ type: 'node.waiting', kind, name, after });
  mkdirSync(context.workspace, { recursive: true });
  for (const { logFile: log } of context.nodes.values())
    writeFileSync(log, `${logBeginning}\n`, { flag: 'a', mode: 0o600 });
  teardown.register('ports', () => context.ports.release());
  if (hasContainers(system)) {
    const { openContainerHost } = await import('./containers/container-host.ts');
    teardown.register('container engine', () => context.containers?.close());
    context.containers = await openContainerHost(context);
  }
  const { containers } = context;
  teardown.register('taps', () => context.book.close());
  context.book = await openAddressBook({
    system,
    clock,
    emit,
    at: context.at,
    random: context.random.fork('taps'),
    target: (edge) => targetOf(context, edge),
    ...(containers ? { placeOf: containers.placeOf } : {}),
  });
  teardown.register('processes', () => endAll(context.started));
  teardown.register('nodes', () =>
    stopGraph(declared, (node) => stopNode(context, node, progress.forceStop.signal)),
  );
}

function recordsFor({ system, runFolder }: EnvironmentOptions): ReadonlyMap<string, NodeRecord> {
  return new Map(
    declaredNodes(system).map(({ kind, name }) => [
      name,
      { kind, name, logFile: logFile(runFolder, name), state: 'waiting', starts: 0, addresses: new Map() },
    ]),
  );
}

function notUp(stopping: boolean): Problem {
  return new Problem({
    code: 'usage.not-up',
    where: 'the keeper of this environment',
    what: stopping ? 'the environment is going down' : 'the environment is not ready yet',
    allowed: 'an environment that is up',
    next: 'wait until it is ready: `shakedown status` says so',
  });
}

function tooSlow(context: EnvironmentContext): Problem {
  const waiting = [...context.nodes.values()].filter(
    ({ state }) => state === 'waiting' || state === 'starting',
  );
  const detail = ({ name, state, addresses }: NodeRecord): string => {
    const spec = state === 'starting' && context.system.services.find((service) => service.name === name);
    return spec ? `starting: until ${cutText(readyText({ ...spec, addresses }), 200)}` : state;
  };
  return new Problem({
    code: 'boot.too-slow',
    where: 'boot',
    what: `not everything was ready within ${formatDuration(context.system.boot.withinMs)}; still missing: ${waiting
      .map((node) => `${node.kind} ${node.name} (${detail(node)})`)
      .join(', ')}`,
    allowed: 'a boot that ends within `boot: { within }` in the config',
    next: 'give it more time there, or look at the first that is still starting: shakedown logs NAME',
  });
}
