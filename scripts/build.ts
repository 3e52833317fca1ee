/** Writes `dist/`: the bundles, and beside them the types. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './bundle.ts';

const clone = path.resolve(import.meta.dirname, '..');
rmSync(path.join(clone, 'dist'), { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: clone, stdio: 'inherit' });
await bundle(path.join(clone, 'dist'));
