/** What `import … from 'shakedown/test'` gives, for tests in Vitest, node:test and runners like them. */
export { environmentFixture, openEnvironment, type TestEnvironment } from './environment.ts';
export { type TrialsOptions, trials } from './trials.ts';
