/** One failure in one file, and the browser that opens a report. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from './harness/read-report.ts';
import { latestVerdict, trialsProject, unfolded } from './harness/trials-project.ts';
import { until } from './harness/until.ts';

const config = 'isolation: shared\nservices: { web: { run: [node, web.mjs], listen: { env: PORT } } }';
const service = `import { createServer } from 'node:http';
createServer((request, response) => response.end('x'.repeat(300 * 1024))).listen(Number(process.env.PORT));
`;
const asks = (status: number): string => `steps: [{ http: GET web/, expect: { status: ${status} } }]`;

test('--bundle packs the failed trial, whole and with what it takes to repeat it', async () => {
  const made = trialsProject(
    config,
    { 'a/bad': asks(404), good: asks(200), worse: `needs: [{ env: WORSE }]\n${asks(404)}` },
    { 'web.mjs': service },
  );
  await made.run(['run', '--seed', 'tea', '--parallel', '1']);
  const { run } = latestVerdict(made).verdict;
  const { code, stdout } = await made.run(['report', '--bundle']);
  expect(code, stdout).toBe(0);
  const file = path.join(made.folder, `.shakedown/report/${run}-a-bad.html`);
  expect(stdout).toContain(path.relative(made.folder, file));
  const { index, trial, decoded, html } = readReport(file);
  expect(index.verdict.trials.map(({ id }) => id)).toEqual(['a/bad']);
  expect(trial('good')).toBeUndefined();
  expect(decoded).toContain('x'.repeat(300 * 1024));
  expect(index.notes.join(' ')).toContain('shakedown run --seed tea a/bad');
  expect(index.notes.join(' ')).toContain(`Node.js ${process.version}`);
  expect(html).toContain('step #1: expected 404, observed 200');

  const named = await made.run(['report', 'latest', 'good', '--bundle', '--out', 'here', '--json']);
  expect(JSON.parse(named.stdout)).toMatchObject({ trial: 'good', run });
  const unknown = await made.run(['report', 'latest', 'a/bat', '--bundle']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('did you mean `a/bad`?');
  await made.run(['run', '--parallel', '1'], { env: { WORSE: '1' } });
  const several = await made.run(['report', '--bundle']);
  expect(several.code).toBe(2);
  expect(unfolded(several.stderr)).toContain('2 trials did not pass allowed a/bad, worse');
});

test('--open opens the file, and says what to do where nothing can', async () => {
  const made = trialsProject(config, { good: asks(200) }, { 'web.mjs': service });
  await made.run(['run']);
  const bin = path.join(path.dirname(made.folder), 'bin');
  const seen = path.join(bin, 'seen');
  mkdirSync(bin);
  const opener = path.join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open');
  const write = (text: string): void => {
    writeFileSync(opener, `#!/bin/sh\n${text}\n`);
    chmodSync(opener, 0o755);
  };
  write(`echo "$1" > ${seen}.draft; mv ${seen}.draft ${seen}`);
  const opened = await made.run(['report', '--open'], { env: { PATH: `${bin}:${process.env.PATH}` } });
  expect(opened.code, opened.output).toBe(0);
  const shown = await until(
    'the browser',
    10_000,
    () => orEmpty(seen),
    (text) => text !== '',
  );
  expect(shown).toMatch(/\/\.shakedown\/runs\/.*\/report\.html\n$/);
  write('exit 3');
  const failed = await made.run(['report', '--open'], { env: { PATH: `${bin}:${process.env.PATH}` } });
  expect(failed.code).toBe(3);
  expect(failed.stderr).toContain('ended with 3');
  const none = await made.run(['report', '--open'], { env: { PATH: '/nowhere' } });
  expect(none.code, none.output).toBe(3);
  expect(unfolded(none.stderr)).toMatch(/next open it yourself: \/.*report\.html/);
});

function orEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
