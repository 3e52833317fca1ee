import { expect, test } from 'vitest';
import { loadProject } from '../../../test/harness/config-project.ts';
import type { System } from '../../system/system.ts';
import { planRenewal, type RenewalLevel } from './plan-renewal.ts';

async function system(jobs = ''): Promise<System> {
  return loadProject({
    'shakedown.yaml': `name: renewed
resources: { db: { kind: postgres } }
services:
  plain: { run: ["true"] }
  model: { run: ["true"], reset: stateless }
  reader: { run: ["true"], reset: stateless, env: { URL: "\${db.url}" } }
  cache: { run: ["true"], listen: { env: PORT }, reset: { http: DELETE /all } }
  theirs: { at: "http://localhost:1" }
${jobs}`,
  });
}

async function plan(level: RenewalLevel, dead: readonly string[] = []) {
  const { restarted, notified, restored } = planRenewal(level, {
    system: await system(),
    snapshots: true,
    isRunning: (name) => !dead.includes(name),
  });
  return {
    restarted: restarted.map(({ name }) => name),
    notified: notified.map(({ spec, call }) => `${spec.name}: ${call}`),
    restored,
  };
}

test('restart leaves stateless services running, and calls reset hooks', async () => {
  expect(await plan('restart')).toEqual({
    restarted: ['plain'],
    notified: ['cache: DELETE /all'],
    restored: [],
  });
});

test('fresh leaves only stateless services running that use no restored resource', async () => {
  expect(await plan('fresh')).toEqual({
    restarted: ['plain', 'reader', 'cache'],
    notified: [],
    restored: ['db'],
  });
});

test('a dead service is started, whatever its `reset` says', async () => {
  expect((await plan('restart', ['model', 'cache'])).restarted).toEqual(['plain', 'model', 'cache']);
  expect((await plan('fresh', ['model'])).restarted).toEqual(['plain', 'model', 'reader', 'cache']);
});

test('a job that runs again is done again with what waits for it, and may work on a service', async () => {
  const again = await system(
    'jobs: { files: { run: ["true"], again: fresh }, seed: { run: ["true"], again: fresh, after: [cache], env: { URL: "${cache.url}" } } }\n',
  );
  const services = again.services.map((spec) =>
    spec.name === 'model' ? { ...spec, after: ['files'] } : spec,
  );
  const needs = { system: { ...again, services }, snapshots: true, isRunning: () => true };
  const plan = planRenewal('fresh', needs);
  expect(plan.again.map(({ name }) => name)).toEqual(['files', 'seed']);
  expect(plan.restarted.map(({ name }) => name)).toContain('model');
  expect(planRenewal('restart', needs).again).toEqual([]);
});

test('a service that a job works on cannot be made fresh', async () => {
  const needs = { snapshots: true, isRunning: () => true };
  const seeded = await system(
    'jobs: { seed: { run: ["true"], after: [cache], env: { URL: "${cache.url}" } } }\n',
  );
  expect(() => planRenewal('fresh', { system: seeded, ...needs })).toThrow('it works on the service cache');
  const migrated = await system('jobs: { migrate: { run: ["true"], env: { URL: "${db.url}" } } }\n');
  expect(planRenewal('fresh', { system: migrated, ...needs }).restored).toEqual(['db']);
});
