/** Sees whether a service runs, and what it takes from the machine: `process: daemon`. */

import type { ServiceFacts } from '../../journal/environment-facts.ts';
import { untilAborted } from '../../kernel/until-aborted.ts';
import { findService } from '../find-service.ts';
import type { Observer } from '../observer.ts';
import { procFamilies } from './proc-families.ts';
import type { ProcessChild, ProcessFamilies, ProcessFamily } from './process-family.ts';
import { psFamilies } from './ps-families.ts';

export interface ProcessQuery {
  readonly service: string;
}

export interface ProcessView {
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
  readonly children: readonly ProcessChild[] | null;
  /** Of those that were there when the attempt began. */
  readonly childrenGone: number | null;
}

export const processObserver: Observer<ProcessQuery> = createProcessObserver(
  process.platform === 'linux' ? procFamilies() : psFamilies(),
);

export function createProcessObserver(families: ProcessFamilies): Observer<ProcessQuery> {
  return {
    name: 'process',
    open: async ({ facts, signal }) => {
      const see = async ({ pid }: ServiceFacts): Promise<ProcessFamily | undefined> =>
        pid === null ? undefined : families.of(pid, signal);
      const { services } = await facts();
      const begin = new Map(
        await Promise.all(
          services.map(
            async (service) =>
              [service.name, { starts: service.starts, family: await see(service) }] as const,
          ),
        ),
      );
      const look = async ({ service }: ProcessQuery): Promise<ProcessView> => {
        const now = findService(await facts(), service);
        const { starts = 0, family } = begin.get(service) ?? {};
        return viewOf(now, now.starts - starts, await see(now), family);
      };
      return {
        look: (query) => untilAborted(signal, look(query)),
        close: async () => {},
      };
    },
  };
}

const notRunning: ProcessView = {
  running: false,
  pid: null,
  restarts: null,
  rss: null,
  rssGrowth: null,
  fds: null,
  fdGrowth: null,
  children: null,
  childrenGone: null,
};

function viewOf(
  { pid }: ServiceFacts,
  restarts: number,
  now: ProcessFamily | undefined,
  begin: ProcessFamily | undefined,
): ProcessView {
  if (!now) return notRunning;
  return {
    running: true,
    pid,
    restarts,
    rss: now.rss,
    rssGrowth: begin ? now.rss - begin.rss : null,
    fds: now.fds,
    fdGrowth: begin && begin.fds !== null && now.fds !== null ? now.fds - begin.fds : null,
    children: now.children,
    childrenGone: begin ? begin.pids.filter((child) => !now.pids.includes(child)).length : null,
  };
}
