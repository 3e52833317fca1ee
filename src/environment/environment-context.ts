/** The one object that everything inside a booting environment works with. */
import type { Problem } from '../kernel/problem.ts';
import type { Random } from '../kernel/random.ts';
import type { Tap } from '../taps/tap.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import type { StdioRule } from './keeper/stdio-shapes.ts';
import type { NodeRecord } from './node-record.ts';
import type { PortChooser } from './ports/port-chooser.ts';
import type { ProcessHost } from './processes/start-process.ts';
import type { SnapshotKey } from './snapshots/snapshot-key.ts';
import type { AddressBook } from './wiring/address-book.ts';

export interface EnvironmentContext extends Omit<EnvironmentOptions, 'onDeath'>, ProcessHost {
  readonly random: Random;
  readonly ports: PortChooser;
  /** Empty until the taps are open. */
  book: AddressBook;
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  /** Under which the jobs' work may be kept and found again; absent where it may not. */
  snapshotKey?: SnapshotKey | undefined;
  /** What services compiled has been kept: by an earlier run, or because they were ended politely once. */
  hasCompiledCode: boolean;
  /** Taps that were told to do something else than to pass everything on. */
  readonly disturbed: Set<Tap>;
  /** By edge, `agent -> adder`: what taps on stdio are to do. */
  readonly stdioRules: Map<string, readonly StdioRule[]>;
  /** True from the moment that teardown begins: from then on a process that ends is expected. */
  isStopping(): boolean;
  /** True once everything was ready: from then on a death is a finding, not a failed boot. */
  isBooted(): boolean;
  /** A process ended that should have gone on. */
  onDeath(node: NodeRecord, problem: Problem): void;
}

export function nodeOf(context: EnvironmentContext, name: string): NodeRecord {
  const node = context.nodes.get(name);
  if (!node) throw new Error(`no node is called ${name}`);
  return node;
}
