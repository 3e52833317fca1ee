/** The process of a service: whether it runs, and what it uses. */
import { type CheckKind, serviceParty, serviceQuery } from '../kind/check-kind.ts';
import { alike, type Fields, measured, system } from '../kind/evidence.ts';
import type { Observation } from '../kind/flow-method.ts';
import { serviceTarget } from '../kind/step-kind.ts';

export interface ProcessFlow {
  readonly process: (service: string) => Observation<ProcessFacts>;
}

export interface ProcessFacts {
  readonly running: boolean;
  readonly pid: number | null;
  /** Since the attempt began. */
  readonly restarts: number | null;
  /** Bytes, with all descendants. */
  readonly rss: number | null;
  /** Against the beginning of the attempt; null when it did not run then. */
  readonly rssGrowth: number | null;
  readonly fds: number | null;
  readonly fdGrowth: number | null;
  readonly children: readonly { readonly pid: number; readonly argv: readonly string[] }[] | null;
  /** Of those that were there when the attempt began. */
  readonly childrenGone: number | null;
}

const fields: Fields = {
  running: system,
  pid: { ...measured, isCounter: true },
  ...alike('restarts children childrenGone', system),
  rss: { ...system, least: 1, most: 2 ** 38 },
  rssGrowth: { ...system, most: 2 ** 38 },
  ...alike('fds fdGrowth', { ...system, most: 2 ** 20 }),
};

export const processCheck: CheckKind = {
  gives: 'map',
  query: serviceQuery,
  source: ({ service }) => `process ${String(service)}`,
  target: serviceTarget,
  parties: serviceParty,
  fields: () => fields,
  comparesWithBefore: true,
  flow: (service: string) => ({ process: service }),
  unread: 'ignored',
};
