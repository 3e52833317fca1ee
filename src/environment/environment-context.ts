/** The one object that everything inside a booting environment works with. */
import type { Problem } from '../kernel/problem.ts';
import type { Random } from '../kernel/random.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import type { NodeRecord } from './node-record.ts';
import type { PortChooser } from './ports/port-chooser.ts';
import type { ProcessHost } from './processes/start-process.ts';
import type { AddressBook } from './wiring/address-book.ts';

export interface EnvironmentContext extends Omit<EnvironmentOptions, 'onDeath'>, ProcessHost {
  readonly random: Random;
  readonly ports: PortChooser;
  /** Empty until the taps are open. */
  book: AddressBook;
  readonly nodes: ReadonlyMap<string, NodeRecord>;
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
