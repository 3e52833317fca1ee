/** Writes `dist/`: the bundles, and beside them the types. */
import { execFileSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './bundle.ts';

const dist = path.resolve(import.meta.dirname, '../dist');
// The page is overwritten, and until then there for the runs of this clone that write a report.
for (const name of globSync('*', { cwd: dist, exclude: ['page'] }))
  rmSync(path.join(dist, name), { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: path.dirname(dist), stdio: 'inherit' });
await bundle(dist);
