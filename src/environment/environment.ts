/** One disposable instance of a system: boots it, answers for it, and takes all of it away again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { NodeKind } from '../journal/event.ts';
import { formatDuration } from '../kernel/duration.ts';
import { limits } from '../kernel/limits.ts';
import { Problem } from '../kernel/problem.ts';
import { createRandom } from '../kernel/random.ts';
import { bootGraph } from './boot-graph.ts';
import { bootJob } from './boot-job.ts';
import { bootResource } from './boot-resource.ts';
import { bootService } from './boot-service.ts';
import { type Declared, declaredNodes } from './declared-nodes.ts';
import type { EnvironmentContext } from './environment-context.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import type { NodeRecord } from './node-record.ts';
import { createPortChooser } from './ports/port-chooser.ts';
import type { RunningProcess } from './processes/start-process.ts';
import { worldProblem } from './processes/world-problem.ts';
import { logFile } from './run-folder.ts';
import { stopGraph } from './stop-graph.ts';
import { createTeardown, type TeardownFailure } from './teardown.ts';
import { type AddressBook, emptyAddressBook, openAddressBook } from './wiring/address-book.ts';
import { targetOf } from './wiring/lookup.ts';

export interface Environment {
  readonly context: EnvironmentContext;
  /** Resolves when everything is ready; rejects with the problems that stood in the way. Boot once. */
  boot(): Promise<void>;
  /** Takes everything away; may be called at any moment, and more than once. `hurry` leaves no time for goodbyes. */
  stop(how: { readonly hurry: boolean }): Promise<readonly TeardownFailure[]>;
}

export function createEnvironment(options: EnvironmentOptions): Environment {
  const { clock, system, emit } = options;
  const teardown = createTeardown(clock);
  const abort = new AbortController();
  const started: RunningProcess[] = [];
  const nodes = recordsFor(options);
  let book: AddressBook = emptyAddressBook;
  let stopping = false;
  let booted = false;
  let hurry = false;
  const ports = createPortChooser(createRandom(options.seed).fork('ports'), options.hostPids.outerProc);
  const context: EnvironmentContext = {
    ...options,
    random: createRandom(options.seed),
    ports,
    started,
    nodes,
    get book() {
      return book;
    },
    isStopping: () => stopping,
    isBooted: () => booted,
    onDeath: (node, problem) => {
      if (!booted) abort.abort(problem);
      else options.onDeath?.(node, problem);
    },
  };

  const prepare = async (): Promise<void> => {
    for (const { kind, name, after } of declaredNodes(system))
      emit({ type: 'node.waiting', kind, name, after });
    mkdirSync(options.workspace, { recursive: true });
    for (const node of nodes.values()) writeFileSync(node.logFile, '', { flag: 'a', mode: 0o600 });
    teardown.register('ports', () => ports.release());
    teardown.register('taps', () => book.close());
    book = await openAddressBook({
      system,
      clock,
      emit,
      target: (to, listener) => targetOf(context, to, listener),
    });
    teardown.register('processes', () => endAll(started));
    teardown.register('nodes', () =>
      stopGraph(declaredNodes(system), (node) => stopNode(context, node, hurry)),
    );
  };

  const boot = async (): Promise<void> => {
    const cancel = clock.after(system.boot.withinMs, () => abort.abort(tooSlow(context)));
    try {
      await prepare();
      await bootGraph(declaredNodes(system), clock, abort, (node, signal) => bootNode(context, node, signal));
      abort.signal.throwIfAborted();
      booted = true;
    } catch (error) {
      throw worldProblem(error, 'boot');
    } finally {
      cancel();
    }
  };

  let booting: Promise<void> | undefined;
  return {
    context,
    boot: () => {
      booting ??= boot();
      return booting;
    },
    stop: async (how) => {
      stopping = true;
      hurry ||= how.hurry;
      abort.abort(new Error('the environment is going down'));
      await booting?.catch(() => 'whoever asked for the boot hears of its failure');
      return teardown.run(system.teardown.withinMs);
    },
  };
}

function recordsFor({ system, runFolder }: EnvironmentOptions): ReadonlyMap<string, NodeRecord> {
  const record = (kind: NodeKind, name: string): [string, NodeRecord] => [
    name,
    { kind, name, logFile: logFile(runFolder, name), state: 'waiting', addresses: new Map() },
  ];
  return new Map(declaredNodes(system).map(({ kind, name }) => record(kind, name)));
}

async function bootNode(context: EnvironmentContext, node: Declared, signal: AbortSignal): Promise<void> {
  const record = context.nodes.get(node.name) as NodeRecord;
  record.state = 'starting';
  context.emit({ type: 'node.starting', kind: node.kind, name: node.name });
  try {
    if (node.kind === 'resource') await bootResource(context, node.spec, signal);
    else if (node.kind === 'job') await bootJob(context, node.spec, signal);
    else await bootService(context, node.spec, signal);
  } catch (error) {
    record.state = 'failed';
    throw worldProblem(error, `${node.kind} ${node.name}`);
  }
  const address = context.book.taps.find(({ edge }) => edge.from === 'outside' && edge.to === node.name)?.url;
  context.emit({ type: 'node.ready', kind: node.kind, name: node.name, ...(address ? { address } : {}) });
}

async function stopNode(context: EnvironmentContext, node: Declared, hurry: boolean): Promise<void> {
  const record = context.nodes.get(node.name) as NodeRecord;
  const running = record.process && !record.process.exit() ? record.process : undefined;
  if (running) {
    const asked =
      node.kind === 'service'
        ? node.spec.stop
        : { signal: 'SIGTERM' as const, withinMs: limits.stopWithinMs };
    const how = await running.stop(
      asked.signal,
      hurry ? Math.min(asked.withinMs, hurriedMs) : asked.withinMs,
    );
    context.emit({ type: 'node.stopped', kind: node.kind, name: node.name, how });
  }
  if (record.resource) {
    await record.resource.stop();
    context.emit({ type: 'node.stopped', kind: node.kind, name: node.name, how: 'asked' });
  }
  if (record.state !== 'failed' && record.state !== 'exited') record.state = 'stopped';
}

/** When whoever held us is dead, goodbyes are short. */
const hurriedMs = 1_000;

/** Whatever a boot that was given up had started by then. */
async function endAll(started: readonly RunningProcess[]): Promise<void> {
  await Promise.all(started.map((process) => process.stop('SIGKILL', hurriedMs)));
}

function tooSlow(context: EnvironmentContext): Problem {
  const waiting = [...context.nodes.values()].filter(
    ({ state }) => state === 'waiting' || state === 'starting',
  );
  return new Problem({
    code: 'boot.too-slow',
    where: 'boot',
    what: `not everything was ready within ${formatDuration(context.system.boot.withinMs)}; still missing: ${waiting
      .map(({ kind, name, state }) => `${kind} ${name} (${state})`)
      .join(', ')}`,
    allowed: 'a boot that ends within `boot: { within }` in the config',
    next: 'give it more time there, or look at the first that is still starting: shakedown logs NAME',
  });
}
