/** Sees whether a service runs, and what it takes from the machine: `process: daemon`. */
import type { ServiceFacts } from '../../journal/environment-facts.ts';
import type { ProcessFacts } from '../../kinds/process/check.ts';
import { findService } from '../find-service.ts';
import { ObservationError, type Observer, watching } from '../observer.ts';
import { procFamilies } from './proc-families.ts';
import type { ProcessFamilies, ProcessFamily } from './process-family.ts';
import { psFamilies } from './ps-families.ts';

export interface ProcessQuery {
  readonly service: string;
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
      const look = async ({ service }: ProcessQuery): Promise<ProcessFacts> => {
        const now = findService(await facts(), service);
        if (now.unseen !== undefined) throw new ObservationError(`${service}: ${now.unseen}`);
        const { starts = 0, family } = begin.get(service) ?? {};
        return viewOf(now, now.starts - starts, await see(now), family);
      };
      return watching({ signal }, look);
    },
  };
}

const notRunning: ProcessFacts = {
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
): ProcessFacts {
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
