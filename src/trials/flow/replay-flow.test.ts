/** A flow is performed again in a process of its own: it is given what is recorded, and can do nothing else. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type FlowRecord, openFlowReplay } from './replay-flow.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-test-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** What each performance declares, or why it did not end; answers are of `GET a/`. */
async function replay(
  body: string,
  statuses: readonly number[],
  slowMs?: number,
  fetched: FlowRecord['fetched'] = [],
) {
  files += 1;
  const file = path.join(folder, `f${files}.flow.ts`);
  writeFileSync(
    file,
    `import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { flow } from 'shakedown';
flow('it', { id: 'it' }, async ({ http, check }: any) => {
  ${body}
});`,
  );
  const opened = openFlowReplay({ file, index: 0, folder, env: process.env, clock: systemClock });
  const shown: unknown[] = [];
  try {
    for (const status of statuses) {
      const { declared, failure } = await opened.perform(
        {
          steps: new Map([['#1', { status }]]),
          looks: [],
          waits: new Map(),
          trial: { uid: 't' } as never,
          urls: {},
          fetched,
        },
        slowMs,
      );
      const held = declared.map(
        ({ id, evidence }) => `${id} ${'opaque' in evidence && evidence.opaque.held}`,
      );
      shown.push(failure === undefined ? held : typeof failure === 'string' ? failure : failure.message);
    }
  } finally {
    await opened.close();
  }
  return shown;
}

test('the same process performs it with one answer after the other', async () => {
  const body = `const { status } = await http('a').get('/'); check('ok', () => status === 201);`;
  expect(await replay(body, [201, 500, 201])).toEqual([['ok true'], ['ok false'], ['ok true']]);
});

test.each([
  'Date.now()',
  'new Date().getTime()',
  'performance.now()',
  'Number(process.hrtime.bigint()) / 1e6',
])('by %s, an answer can be late', async (now) => {
  const body = `const begun = ${now}; await http('a').get('/'); check('quick', () => ${now} - begun < 60_000);`;
  expect(await replay(body, [200])).toEqual([['quick true']]);
  expect(await replay(body, [200], 600_000)).toEqual([['quick false']]);
});

test('what it asks for beyond the record ends it, and what follows is not heard', async () => {
  const body = `for (;;) try { if ((await http('a').get('/')).status === 201) break; } catch {}
    check('ok', () => true);`;
  expect(await replay(body, [500, 201])).toEqual(['not-ended', ['ok true']]);
  const caught = `if ((await http('a').get('/')).status !== 201) await http('a').get('/').catch(() => 0);
    check('ok', () => true);`;
  expect(await replay(caught, [500, 201])).toEqual(['not-recorded', ['ok true']]);
});

test('code that it left behind does not take part in the next performance', async () => {
  const body = `const { status } = await http('a').get('/');
    setTimeout(() => { check('late', () => false); void http('a').get('/'); }, 20);
    if (status !== 201) throw new Error('no');
    await new Promise((go) => setTimeout(go, 100));
    check('ok', () => true);`;
  const [first, second] = await replay(body.replace('20)', 'status === 201 ? 5_000 : 20)'), [500, 201]);
  expect([first, second]).toEqual(['it threw Error: no', ['ok true']]);
});

test('a flow that ends its process, or loops, costs its time and is begun again', async () => {
  const ends = `if ((await http('a').get('/')).status !== 201) process.exit(0); check('ok', () => true);`;
  expect(await replay(ends, [500, 201])).toEqual(['not-ended', ['ok true']]);
  const loops = `const { status } = await http('a').get('/'); while (status !== 201); check('ok', () => true);`;
  expect(await replay(loops, [201, 500, 201])).toEqual([['ok true'], 'not-ended', ['ok true']]);
}, 30_000);

test('it writes no file, starts no program and opens no connection', async () => {
  const file = path.join(folder, 'written');
  const server = createServer();
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const effects = [
    `writeFileSync(${JSON.stringify(file)}, '');`,
    `execFileSync('touch', [${JSON.stringify(file)}]);`,
    `await fetch('http://127.0.0.1:${port}/', { signal: AbortSignal.timeout(1_000) });`,
  ];
  for (const effect of effects)
    expect(await replay(effect, [200])).toEqual([expect.stringMatching(/^it threw|^not-recorded$/)]);
  expect([existsSync(file), connections]).toEqual([false, 0]);
  await new Promise((resolve) => void server.close(resolve));
});

test('what it fetches is answered from the record, and a question that changes nothing more than once', async () => {
  const url = 'http://127.0.0.1:61001/a';
  const fetched = [{ method: 'GET', url, answer: { status: 200, json: { open: 1 } } }];
  const body = `const once = await (await fetch('${url}')).json(); const again = await fetch(new URL('${url}'));
    check('open', () => once.open === 1 && again.ok);`;
  expect(await replay(body, [200], undefined, fetched)).toEqual([['open true']]);
  const posted = `await fetch('${url}', { method: 'POST' }).catch(() => 0); check('ok', () => true);`;
  expect(await replay(posted, [200], undefined, fetched)).toEqual(['not-recorded']);
});
