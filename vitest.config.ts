import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 60_000, hookTimeout: 60_000, pool: 'forks' } as const;
/** Whole example systems and every page of the docs: `npm run examples`. */
const examples = ['docs/*', 'butlers', 'foreign', 'requirements/catalogue'].map(
  (name) => `test/${name}.test.ts`,
);

export default defineConfig({
  test: {
    // Most of a test's time is waiting for programs to start and to end.
    maxWorkers: 4,
    projects: [
      // Of single modules: a process for each file would take longer than most of the files do.
      { test: { ...shared, name: 'src', include: ['src/**/*.test.ts'], isolate: false } },
      { test: { ...shared, name: 'test', include: ['test/**/*.test.ts'], exclude: examples } },
      { test: { ...shared, name: 'examples', include: examples } },
    ],
  },
});
