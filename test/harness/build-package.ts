/** Builds the package before the first test, so that all tests use what users get; removed after the last. */
import { chmodSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { makePackage } from '../../scripts/bundle.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    builtPackage: string;
  }
}

export default async function buildPackage(project: TestProject): Promise<() => void> {
  const folder = makeTemporaryFolder('package');
  chmodSync(folder.path, 0o755); // other users call it too
  await makePackage(folder.path);
  project.provide('builtPackage', folder.path);
  return () => folder.remove();
}
