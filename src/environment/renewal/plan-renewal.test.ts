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
${jobs}`,
  });
}

async function plan(level: RenewalLevel, dead: readonly string[] = []) {
  const { restarted, told, restored } = planRenewal(level, {
    system: await system(),
    snapshots: true,
    isRunning: (name) => !dead.includes(name),
  });
  return {
    restarted: restarted.map(({ name }) => name),
    told: told.map(({ spec, call }) => `${spec.name}: ${call}`),
    restored,
  };
}

test('restart leaves what keeps nothing, and tells what can forget', async () => {
  expect(await plan('restart')).toEqual({
    restarted: ['plain'],
    told: ['cache: DELETE /all'],
    restored: [],
  });
});

test('fresh leaves only what keeps nothing and cannot have read from what is restored', async () => {
  expect(await plan('fresh')).toEqual({
    restarted: ['plain', 'reader', 'cache'],
    told: [],
    restored: ['db'],
  });
});

test('what has died is started, whatever it says about itself', async () => {
  expect((await plan('restart', ['model', 'cache'])).restarted).toEqual(['plain', 'model', 'cache']);
  expect((await plan('fresh', ['model'])).restarted).toEqual(['plain', 'model', 'reader', 'cache']);
});

test('what a job did to a service cannot be made fresh without the job', async () => {
  const needs = { snapshots: true, isRunning: () => true };
  const seeded = await system(
    'jobs: { seed: { run: ["true"], after: [cache], env: { URL: "${cache.url}" } } }\n',
  );
  expect(() => planRenewal('fresh', { system: seeded, ...needs })).toThrow('it works on the service cache');
  const migrated = await system('jobs: { migrate: { run: ["true"], env: { URL: "${db.url}" } } }\n');
  expect(planRenewal('fresh', { system: migrated, ...needs }).restored).toEqual(['db']);
});
