import { defineConfig } from 'vitest/config';

const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'forks',
  setupFiles: 'test/harness/property-seed.ts',
} as const;
const built = { globalSetup: 'test/harness/build-package.ts' } as const;
/** What takes long and is made of much that is tested by itself: `npm run campaigns`. */
const campaigns = [
  'attach',
  'boot-step-fails',
  'butlers',
  'closed-world-later',
  'compose-*',
  'compose/compose-oracle',
  'containers',
  'containers-*',
  'docs/*',
  'doctor-live',
  'external-postgres',
  'flow-misbehaving',
  'foreign',
  'hostile-*',
  'init-from',
  'init-python',
  'large-bursts',
  'mcp-server',
  'mixed-evidence',
  'model-upstream',
  'observe',
  'package',
  'parallel-environments',
  'peer-record',
  'plugin-example',
  'pytest',
  'python',
  'record-edge',
  'redis',
  'report-*',
  'requirements/catalogue',
  'requirements/coverage',
  'sabotage',
  'sabotage-live',
  'sabotage/others',
  'sabotage/pairs',
  'secrets-everywhere',
  'shakedown-test',
  'snapshot-reuse',
  'system-call-fails',
  'third-party',
].map((name) => `test/${name}.test.ts`);
const kills = 'test/cleanup-on-kill.test.ts';
/** Of the source itself: `npm run check`. */
const check = ['test/boundaries.test.ts', 'test/tidy.test.ts'];

export default defineConfig({
  test: {
    // Most of a test's time is waiting for programs to start and to end.
    maxWorkers: 6,
    projects: [
      // Of single modules: a process for each file would take longer than most of the files do.
      { test: { ...shared, name: 'src', include: ['src/**/*.test.ts'], isolate: false } },
      {
        test: {
          ...shared,
          ...built,
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [...campaigns, ...check],
        },
      },
      // With more kills than in `test`.
      {
        test: {
          ...shared,
          ...built,
          name: 'campaigns',
          include: [...campaigns, kills],
          testTimeout: 240_000,
        },
      },
      { test: { ...shared, name: 'check', include: check } },
    ],
  },
});
