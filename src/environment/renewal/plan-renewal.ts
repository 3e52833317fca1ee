/** Decides what a renewal stops, starts, restores and leaves running. Pure. */
import { Problem } from '../../kernel/problem.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { isAttached } from '../../system/attached/attached-services.ts';
import type { JobSpec, ServiceSpec, System } from '../../system/system.ts';
import { usersOfJobVolumes, volumeWords } from '../snapshots/job-volumes.ts';
import { snapshotObstacle, volumeObstacle } from '../snapshots/snapshot-obstacle.ts';
import { type Edge, findUses } from '../wiring/edges.ts';

export type RenewalLevel = 'restart' | 'fresh';

export interface RenewalNeeds {
  readonly system: System;
  /** Whether snapshots were taken during the boot. */
  readonly snapshots: boolean;
  readonly isRunning: (service: string) => boolean;
}

export interface Renewal {
  /** Stopped, and started again. */
  readonly restarted: readonly ServiceSpec[];
  /** Left running, and reset through a call. */
  readonly notified: ReadonlyArray<{ readonly spec: ServiceSpec; readonly call: string }>;
  /** Jobs that run again, because their work is in files. */
  readonly again: readonly JobSpec[];
  /** Names of resources that are restored from their snapshot. */
  readonly restored: readonly string[];
}

/** What is somebody else's stays as it is. */
export function planRenewal(level: RenewalLevel, needs: RenewalNeeds): Renewal {
  const renewal = level === 'fresh' ? planFresh(needs) : planRestart(needs);
  return { ...renewal, restarted: renewal.restarted.filter((spec) => !isAttached(spec)) };
}

/** A service that is not running is started, whatever its `reset` says. */
function planRestart({ system, isRunning }: RenewalNeeds): Renewal {
  const running = system.services.filter(({ name }) => isRunning(name));
  const notified = running.flatMap((spec) => {
    const call = hookOf(spec);
    return call === undefined ? [] : [{ spec, call }];
  });
  const left = new Set([...notified.map(({ spec }) => spec), ...running.filter(isStateless)]);
  return { restarted: system.services.filter((spec) => !left.has(spec)), notified, again: [], restored: [] };
}

/** A stateless service may keep running, unless it may still hold data of what is restored, or done again. */
function planFresh({ system, snapshots, isRunning }: RenewalNeeds): Renewal {
  const restored = system.resources.flatMap((spec) => (resourceKind(spec).isStore ? [spec.name] : []));
  for (const resource of restored) refuseWithoutSnapshot(system, resource, snapshots);
  const edges = findUses(system);
  const again = system.jobs.filter((job) => job.again !== undefined);
  refuseLostWork(system, edges);
  refuseLostVolumes(system, snapshots);
  const usesRestored = (service: string): boolean =>
    edges.some(({ from, to }) => from === service && restored.includes(to));
  const mayHold = ({ name, after, container }: ServiceSpec): boolean =>
    usesRestored(name) || volumeWords(container).length > 0 || again.some((job) => after.includes(job.name));
  return {
    restarted: system.services.filter(
      (spec) => !(isStateless(spec) && isRunning(spec.name) && !mayHold(spec)),
    ),
    notified: [],
    again,
    restored,
  };
}

/** The work of a job on a service is lost with the service's folders, unless it runs again. */
function refuseLostWork({ jobs, services }: System, edges: readonly Edge[]): void {
  for (const { name, again } of jobs) {
    if (again !== undefined) continue;
    const service = services.find((spec) => edges.some(({ from, to }) => from === name && to === spec.name));
    if (!service || isStateless(service)) continue;
    throw new Problem({
      code: 'config.no-snapshot',
      where: `job ${name}`,
      what: `it works on the service ${service.name}, and its work would be lost if the service were made fresh`,
      allowed: 'jobs that work on resources and files of their own',
      next: 'write `again: fresh` for the job, or use `isolation: restart` for these trials',
    });
  }
}

/** What jobs put into volumes is restored from what was taken after them. */
function refuseLostVolumes(system: System, snapshots: boolean): void {
  if (usersOfJobVolumes(system).length === 0) return;
  const obstacle = volumeObstacle(system);
  if (obstacle === undefined && snapshots) return;
  throw new Problem({
    code: 'config.no-snapshot',
    where: 'volumes that jobs fill',
    what: `they cannot be made fresh: ${obstacle ?? 'this environment was started without snapshots'}`,
    allowed:
      'volumes that no service uses before the last job has ended, in an environment of `shakedown run`',
    next:
      obstacle === undefined
        ? 'let `shakedown run` start the environment itself, or use `isolation: restart`'
        : 'let the job run before the service, or use `isolation: restart` for these trials',
  });
}

function isStateless({ reset }: ServiceSpec): boolean {
  return reset === 'stateless';
}

/** `POST /reset` */
function hookOf({ reset }: ServiceSpec): string | undefined {
  if (typeof reset !== 'object' || reset === null || !('http' in reset)) return undefined;
  return typeof reset.http === 'string' ? reset.http : undefined;
}

function refuseWithoutSnapshot(system: System, resource: string, snapshots: boolean): void {
  const obstacle = snapshotObstacle(system, resource);
  if (obstacle === undefined && snapshots) return;
  throw new Problem({
    code: 'config.no-snapshot',
    where: `resource ${resource}`,
    what: `it cannot be made fresh, because there is no snapshot of it: ${
      obstacle ?? 'this environment was started without snapshots'
    }`,
    allowed:
      'a resource that no service uses before the last job has ended, in an environment of `shakedown run`',
    next:
      obstacle === undefined
        ? 'let `shakedown run` start the environment itself, or use `isolation: restart`'
        : 'let the job run before the service, or use `isolation: restart` for these trials',
  });
}
