/** Two runs side by side: what broke, what was mended, and what became slower. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunComparison } from '../src/checks/run-comparison.ts';
import type { Project } from './harness/project.ts';
import { latestVerdict, trialsProject, unfolded } from './harness/trials-project.ts';

const service = (waitMs: number): string => `import { createServer } from 'node:http';
createServer((request, response) => setTimeout(() => response.end('hello'), request.url === '/slow' ? ${waitMs} : 0)).listen(Number(process.env.PORT));
`;

const asks = (status: number, where = ''): string =>
  `steps: [{ http: GET web/${where}, expect: { status: ${status} } }]`;

async function perform(made: Project): Promise<string> {
  await made.run(['run', '--parallel', '1', '--seed', 'tea']);
  return latestVerdict(made).verdict.run;
}

test('two runs that are no shards are compared: new failures end with 1', async () => {
  const made = trialsProject(
    'isolation: shared\nservices: { web: { run: [node, web.mjs], listen: { env: PORT } } }',
    { breaks: asks(200), heals: asks(404), stays: asks(404), holds: asks(200), slow: asks(200, 'slow') },
    { 'web.mjs': service(0) },
  );
  const before = await perform(made);
  const write = (id: string, text: string): void =>
    writeFileSync(path.join(made.folder, `trials/${id}.trial.yaml`), `id: ${id}\n${text}\n`);
  write('breaks', asks(404));
  write('heals', asks(200));
  write('comes', asks(200));
  writeFileSync(path.join(made.folder, 'web.mjs'), service(2_000));
  const after = await perform(made);

  const { code, stdout } = await made.run(['report', before, after]);
  expect(code, stdout).toBe(1);
  expect(unfolded(stdout)).toContain(
    `${after} compared with ${before}: 1 new failure, 1 fixed, 1 still failing, `,
  );
  expect(unfolded(stdout)).toContain('breaks: passed, then failed: step #1: expected 404, observed 200');
  expect(stdout).toContain('Slower than ever before');

  const json = await made.run(['report', before, after, '--json', '--compare']);
  const comparison = JSON.parse(json.stdout) as RunComparison;
  const ids = (key: 'newFailures' | 'fixed' | 'stillFailing' | 'slower'): readonly string[] =>
    comparison[key].map(({ id }) => id);
  expect([ids('newFailures'), ids('fixed'), ids('stillFailing')]).toEqual([['breaks'], ['heals'], ['stays']]);
  expect(ids('slower')).toContain('slow');
  expect(comparison.added).toEqual(['comes']);
  expect(comparison.slower.find(({ id }) => id === 'slow')?.usual.runs).toBe(1);
  expect(comparison.differences).toEqual([]);

  // Slower than the first, and not slower than ever: the second is among the stored runs.
  writeFileSync(path.join(made.folder, 'web.mjs'), service(1_000));
  const third = await perform(made);
  const calm = await made.run(['report', before, third, '--json']);
  expect((JSON.parse(calm.stdout) as RunComparison).slower.map(({ id }) => id)).not.toContain('slow');
  const same = await made.run(['report', after, third]);
  expect(same.code, same.stdout).toBe(0);
  const three = await made.run(['report', before, after, third]);
  expect(three.code).toBe(2);
  expect(three.stderr).toContain('3 runs, and not all of them are shards of one');
});
