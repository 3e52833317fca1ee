/** A run leaves one file to look at: it loads nothing, evidence is data in it, and no secret is. */
import { cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, type Project } from './harness/project.ts';
import { policyOf, readReport } from './harness/read-report.ts';
import { runCommand } from './harness/run-command.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';
import { trialsProject } from './harness/trials-project.ts';

const hostile = '</script><img src=x onerror=alert(1)><!-- <script>';

const service = `import { createServer } from 'node:http';
const big = 'x'.repeat(1024);
createServer((request, response) => {
  console.log('\\u001b[31mred\\u001b[0m ' + process.env.KEY);
  const { url } = request;
  response.setHeader('content-type', url === '/page' ? 'text/html' : 'application/json');
  if (url === '/page') return response.end(${JSON.stringify(hostile)});
  if (url === '/number') return response.end('{"id":12345678901234567890,"key":"' + process.env.KEY + '"}');
  const repeat = Number(url.slice(1));
  response.write('{"text":"');
  for (let i = 0; i < repeat; i += 1) response.write(big);
  response.end('"}');
}).listen(Number(process.env.PORT));
`;

const config = `isolation: shared
secrets: [KEY]
services:
  web: { run: [node, web.mjs], listen: { env: PORT }, env: { KEY: "\${env.KEY}" } }`;

const asks = (where: string, status: number): string =>
  `steps: [{ http: GET web/${where}, expect: { status: ${status} } }]`;

const env = { KEY: 'planted-secret-4711' };

function project(): Project {
  return trialsProject(
    config,
    {
      'odd/page': `title: "It's <b>\\"odd\\"</b> & ünï"\n${asks('page', 404)}`,
      number: asks('number', 404),
      'big/failed': asks('1000', 404),
      'big/passed': asks('100', 200),
      huge: asks('51200', 200),
      small: asks('1', 200),
    },
    { 'web.mjs': service },
  );
}

const reportOf = (made: Project): string => path.join(made.folder, '.shakedown/latest/report.html');

describe('the report of a run', () => {
  test('loads nothing, runs nothing but its own page, and shows what broke without it', async () => {
    const made = project();
    const { code, output } = await made.run(['run', '--parallel', '1'], { env });
    expect(code, output).toBe(1);
    expect(output).toMatch(/to look at +\.shakedown\/runs\/[^/]+\/report\.html/);
    const report = readReport(reportOf(made));

    const { allowed, scripts, styles } = policyOf(report.html);
    expect(allowed).toEqual({
      'default-src': ["'none'"],
      'script-src': scripts,
      'style-src': styles,
      'img-src': ['data:'],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
    });
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    expect(report.html).not.toMatch(/(?:src|href|url\()\s*=?\s*["']?(?:https?:)?\/\//i);

    const text = report.html.replaceAll(/<script>[\s\S]*?<\/script>/g, '');
    expect(text).toContain('step #1: expected 404, observed 200');
    expect(text).toContain('It&#39;s &lt;b&gt;&quot;odd&quot;&lt;/b&gt; &amp; ünï');
    expect(text).toContain('shakedown rerun');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('<b>');

    expect(report.decoded).toContain(JSON.stringify(hostile));
    expect(report.decoded).toContain('"id":12345678901234567890');
    expect(report.decoded).toContain('‹secret:KEY›');
    expect(report.html + report.decoded).not.toContain('planted-secret');
  });

  test('has failed attempts with bodies of 256 KB, others with 4 KB, and says how large the rest is', async () => {
    const made = project();
    await made.run(['run', '--parallel', '1'], { env });
    const report = readReport(reportOf(made));
    const textOf = (id: string): unknown => {
      const ended = report.trial(id)?.attempts[0]?.events.find(({ type }) => type === 'step.ended');
      const { evidence } = ended as { evidence: Record<string, unknown> };
      return evidence.json ?? evidence.text;
    };
    expect(textOf('small')).toEqual({ text: 'x'.repeat(1024) });
    expect(textOf('big/passed')).toEqual({
      $leftOut: { bytes: 102_411, beginning: `{"text":"${'x'.repeat(991)}` },
    });
    expect(textOf('big/failed')).toMatchObject({ $leftOut: { bytes: 1_024_011 } });
    expect(JSON.stringify(report.trial('huge')).length).toBeLessThan(60_000);
    const { index } = report;
    expect(index.runs).toMatchObject([{ system: 'example', seed: index.verdict.seed }]);
    expect(index.boots[0]?.events.at(-1)).toMatchObject({ type: 'environment.ready' });
    expect(index.chunkOf).toMatchObject({ number: expect.any(Number), small: expect.any(Number) });
    // Those that passed share a chunk.
    expect(index.chunkOf['big/passed']).toBe(index.chunkOf.small);
    expect(index.chunkOf.number).not.toBe(index.chunkOf['odd/page']);
  });

  test('compares a failure with the newest attempt that passed in another run', async () => {
    const made = trialsProject(config, { turns: asks('page', 200) }, { 'web.mjs': service });
    await made.run(['run'], { env });
    await made.run(['run'], { env });
    const passed = readReport(reportOf(made)).index.verdict.run;
    writeFileSync(
      path.join(made.folder, 'web.mjs'),
      service.replace('console.log', 'response.statusCode = 500; console.log'),
    );
    expect((await made.run(['run'], { env })).code).toBe(1);
    const { index, trial } = readReport(reportOf(made));
    expect(trial('turns')?.attempts).toHaveLength(1);
    expect(trial('turns')?.reference).toMatchObject({ run: passed, attempt: 1, folder: 'trials/turns' });
    expect(trial('turns')?.reference?.events.at(-1)).toMatchObject({ type: 'attempt.ended' });
    expect(index.flakes).toEqual([]);
  });

  test('shows of a torn, a damaged and a foreign journal what can be read, and says why not more', async () => {
    const made = project();
    await made.run(['run', '--parallel', '1'], { env });
    const folder = path.join(made.folder, '.shakedown/latest');
    const journal = (id: string): string => path.join(folder, 'trials', id, 'events.ndjson');
    truncateSync(journal('small'), readFileSync(journal('small')).length - 5);
    writeFileSync(journal('number'), `not a journal ${hostile}\n`);
    cpSync(journal('odd/page'), journal('big/failed'));
    const older = readFileSync(path.join(folder, 'environments/1/events.ndjson'), 'utf8');
    writeFileSync(
      path.join(folder, 'environments/1/events.ndjson'),
      older.replace('"journal":2', '"journal":1'),
    );
    const { code, stdout } = await made.run(['report']);
    expect(code, stdout).toBe(1);
    expect(stdout).toMatch(/to look at +\.shakedown\/runs\/.*report\.html/);
    const { trial, index } = readReport(reportOf(made));
    const whyOf = (id: string): string | undefined => trial(id)?.attempts[0]?.unreadable;
    expect(whyOf('small')).toBe('the last line of the journal was cut off');
    expect(trial('small')?.attempts[0]?.events.length).toBeGreaterThan(2);
    expect(whyOf('number')).toContain('the journal begins with not a journal');
    expect(whyOf('big/failed')).toContain('odd/page');
    expect(whyOf('odd/page')).toBeUndefined();
    expect(index.boots).toEqual([]);
  });
});

describe('a package without the page', () => {
  test('runs and says so in a line, and `report` prints and ends with the reason', async () => {
    const made = trialsProject(config, { small: asks('1', 200) }, { 'web.mjs': service });
    const copy = makeTemporaryFolder('without-page');
    cpSync(path.dirname(path.dirname(binary)), copy.path, {
      recursive: true,
      filter: (file) => !/\/(?:node_modules|page)$/.test(file),
    });
    const modules = path.join(path.dirname(path.dirname(binary)), 'node_modules');
    symlinkSync(modules, path.join(copy.path, 'node_modules'));
    const call = (...words: readonly string[]) =>
      runCommand([process.execPath, path.join(copy.path, 'bin/shakedown.js'), ...words], {
        cwd: made.folder,
        env: { ...made.env, ...env },
      });
    const performed = await call('run');
    expect(performed.code, performed.output).toBe(0);
    expect(performed.output).toMatch(/report\.html was not written: .*npm run build:page/);
    expect(performed.output).not.toContain('to look at');
    const reported = await call('report');
    expect(reported.code, reported.output).toBe(3);
    expect(reported.stdout).toContain('1 trial in');
    expect(reported.stderr).toContain('error[world.missing-package]');
    expect(reported.stderr).toMatch(/next +in a clone, run `npm run build:page`/);
    rmSync(copy.path, { recursive: true });
  });
});
