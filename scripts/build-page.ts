/** Builds the page of `report.html` from `src/report/page` to `dist/page/`: one script and one style sheet, without a network. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const clone = path.resolve(import.meta.dirname, '..');
const source = path.join(clone, 'src/report/page');

/** Answers which modules are in it, for their licences. */
export async function buildPage(folder: string): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: clone,
    platform: 'browser',
    resolve: { alias: { 'node:util': path.join(source, 'browser-types.ts') } },
    input: path.join(source, 'main.tsx'),
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  mkdirSync(folder, { recursive: true });
  const { output } = await build.write({
    file: path.join(folder, 'report-page.js'),
    format: 'iife',
    minify: true,
  });
  await build.close();
  cpSync(path.join(source, 'style.css'), path.join(folder, 'report-page.css'));
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

if (import.meta.main) await buildPage(path.join(clone, 'dist/page'));
