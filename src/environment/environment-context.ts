/** The shared state of a booting environment. */
import type { Problem } from '../kernel/problem.ts';
import type { Random } from '../kernel/random.ts';
import type { Tap } from '../taps/tap.ts';
import type { ContainerHost } from './containers/container-host.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import type { StdioRule } from './keeper/stdio-shapes.ts';
import type { NodeRecord } from './node-record.ts';
import type { PortChooser } from './ports/port-chooser.ts';
import type { ProcessHost } from './processes/start-process.ts';
import type { SnapshotKey } from './snapshots/snapshot-key.ts';
import type { AddressBook } from './wiring/address-book.ts';
import type { StdioEdge } from './wiring/stdio-edge.ts';

export interface EnvironmentContext extends Omit<EnvironmentOptions, 'onDeath'>, ProcessHost {
  readonly random: Random;
  readonly ports: PortChooser;
  /** Empty until the taps are open. */
  book: AddressBook;
  /** Where the system has containers. */
  containers?: ContainerHost;
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  /** The cache key for the jobs' work; absent where it must not be cached. */
  snapshotKey?: SnapshotKey | undefined;
  /** Compiled code of services is cached: by an earlier run, or because they were stopped gracefully once. */
  hasCompiledCode: boolean;
  /** Taps with a disturbance. */
  readonly disturbed: Set<Tap>;
  readonly stdioEdges: readonly StdioEdge[];
  /** Rules for taps on stdio by edge, `agent -> adder`. */
  readonly stdioRules: Map<string, readonly StdioRule[]>;
  /** True from the start of the teardown: from then on exits are expected. */
  isStopping(): boolean;
  /** True once everything was ready: from then on an exit is a finding, not a failed boot. */
  isBooted(): boolean;
  /** A process ended unexpectedly. */
  onDeath(node: NodeRecord, problem: Problem): void;
}

export function nodeOf(context: EnvironmentContext, name: string): NodeRecord {
  const node = context.nodes.get(name);
  if (!node) throw new Error(`no node is called ${name}`);
  return node;
}
