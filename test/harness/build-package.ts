/** Builds the package before the first test, so that all tests use what users get; removed after the last. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
  standInForPage(path.join(folder.path, 'dist/page'));
  project.provide('builtPackage', folder.path);
  return () => folder.remove();
}

/** Where the package is built without the page of the report: what is in the file can be tested nevertheless. */
function standInForPage(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'report-page.js'), "document.title = '</script><!--';\r\n");
  writeFileSync(path.join(folder, 'report-page.css'), 'body { margin: 1rem; }\n');
}
