/** `npm run secrets`: plants secrets over every channel and in every form, and looks for them in every file that a real run leaves. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { lookForSecrets, plantedProject, plantedSecrets, writeFiles } from '../test/secrets/plant-secrets.ts';

const project = path.resolve(import.meta.dirname, '..');
const base = mkdtempSync(path.join(tmpdir(), 'shakedown-secrets-'));
const folder = path.join(base, 'project');
mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
mkdirSync(path.join(base, 'tmp'));
const planted = plantedSecrets(Number(process.argv[2] ?? 96));
const files = plantedProject(planted, pathToFileURL(path.join(project, 'node_modules/pg/lib/index.js')).href);
writeFiles(folder, files);
cpSync(path.join(project, 'test/fixtures'), path.join(folder, 'services'), { recursive: true });
const env = {
  ...process.env,
  TMPDIR: path.join(base, 'tmp'),
  NO_COLOR: '1',
  ...Object.fromEntries(planted.map(({ name, value }) => [name, value])),
};
for (const words of [['run'], ['judge', '--accept'], ['run']]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(project, 'bin/shakedown.js'), ...words],
    { cwd: folder, env, encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28 },
  );
  if (process.env.SHOW) console.log(`${words.join(' ')}: ${status}\n${stdout}${stderr}`);
  writeFiles(folder, { [`printed/${words.join('-')}.txt`]: `${stdout}${stderr}` });
}
const report = lookForSecrets(
  base,
  planted,
  new Set(Object.keys(files).map((file) => path.join('project', file))),
);
if (!process.env.KEEP) rmSync(base, { recursive: true, force: true });
else console.log(base);
console.log(JSON.stringify({ ...report, leaked: report.leaked }));
process.exitCode = report.leaked.length === 0 && report.missing.length === 0 ? 0 : 1;
