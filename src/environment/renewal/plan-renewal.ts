/** Decides what a renewal ends, starts, restores and leaves alone. Pure. */
import { Problem } from '../../kernel/problem.ts';
import type { ServiceSpec, System } from '../../system/system.ts';
import { snapshotObstacle } from '../snapshots/snapshot-obstacle.ts';
import { type Edge, findEdges } from '../wiring/edges.ts';

export type RenewalLevel = 'restart' | 'fresh';

export interface RenewalNeeds {
  readonly system: System;
  /** Whether snapshots were taken at the boot. */
  readonly snapshots: boolean;
  readonly isRunning: (service: string) => boolean;
}

export interface Renewal {
  /** Ended, and started again. */
  readonly restarted: readonly ServiceSpec[];
  /** Left running, and told to forget. */
  readonly told: ReadonlyArray<{ readonly spec: ServiceSpec; readonly call: string }>;
  /** Names of resources that go back to their snapshot. */
  readonly restored: readonly string[];
}

export function planRenewal(level: RenewalLevel, needs: RenewalNeeds): Renewal {
  return level === 'fresh' ? planFresh(needs) : planRestart(needs);
}

/** What does not run is started, whatever it says about itself. */
function planRestart({ system, isRunning }: RenewalNeeds): Renewal {
  const running = system.services.filter(({ name }) => isRunning(name));
  const told = running.flatMap((spec) => {
    const call = hookOf(spec);
    return call === undefined ? [] : [{ spec, call }];
  });
  const left = new Set([...told.map(({ spec }) => spec), ...running.filter(isStateless)]);
  return { restarted: system.services.filter((spec) => !left.has(spec)), told, restored: [] };
}

/** One that keeps nothing may go on, unless it may still hold what it read from a resource that is restored. */
function planFresh({ system, snapshots, isRunning }: RenewalNeeds): Renewal {
  const restored = system.resources.flatMap(({ kind, name }) => (kind === 'postgres' ? [name] : []));
  for (const resource of restored) refuseWithoutSnapshot(system, resource, snapshots);
  const edges = findEdges(system);
  refuseLostWork(system, edges);
  const usesRestored = (service: string): boolean =>
    edges.some(({ from, to }) => from === service && restored.includes(to));
  return {
    restarted: system.services.filter(
      (spec) => !(isStateless(spec) && isRunning(spec.name) && !usesRestored(spec.name)),
    ),
    told: [],
    restored,
  };
}

/** What a job did to a service is gone with the service's folders, and jobs run once: only a new boot does it again. */
function refuseLostWork({ jobs, services }: System, edges: readonly Edge[]): void {
  for (const { name } of jobs) {
    const service = services.find((spec) => edges.some(({ from, to }) => from === name && to === spec.name));
    if (!service || isStateless(service)) continue;
    throw new Problem({
      code: 'config.no-snapshot',
      where: `job ${name}`,
      what: `it works on the service ${service.name}, and that would be lost if the service were made fresh`,
      allowed: 'jobs that work on resources and files of their own',
      next: 'use `isolation: restart` for these trials, or let a new environment be booted for each',
    });
  }
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
