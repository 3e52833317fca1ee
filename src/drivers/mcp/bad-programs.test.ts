import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { until } from '../../../test/harness/until.ts';
import { openAttempt, type TestAttempt } from '../../../test/mcp/act-on.ts';

const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const undo of open.splice(0).reverse()) await undo();
});

function begin(): TestAttempt & { folder: string } {
  const folder = makeTemporaryFolder('mcp-stdio');
  const attempt = openAttempt(undefined, folder.path);
  open.push(folder.remove, attempt.end);
  return { ...attempt, folder: folder.path };
}

/** A program that answers each request, in JavaScript: `before` runs first, `answer` says what is printed for `asked`. */
function program(answer: string, before = ''): readonly string[] {
  const script = `
    const { writeFileSync } = require('node:fs');
    const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    const greet = (asked) => print({ jsonrpc: '2.0', id: asked.id, result: {
      protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'program', version: '1' } } });
    const good = (asked) => print({ jsonrpc: '2.0', id: asked.id, result: { content: [{ type: 'text', text: 'good' }] } });
    ${before}
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const asked = JSON.parse(line);
      if (asked.method === 'initialize') greet(asked);
      else if (asked.id !== undefined) { ${answer} }
    });`;
  return [process.execPath, '-e', script];
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('a program whose bytes are not UTF-8 has them marked, and a duplicate key makes a message invalid', async () => {
  const { act } = begin();
  const said = (text: string): string =>
    `process.stdout.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { content: [{ type: 'text', text: ${JSON.stringify(text)} }] } }) + '\\n', 'latin1'))`;
  const argv = program(said('refus\u00e9'));
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ result: 'refus‹no-utf8›' });
  const twice = program(
    `console.log('{"jsonrpc":"2.0","id":' + asked.id + ',"result":{"a":1,"a":2}}'); process.exit()`,
  );
  expect((await act({ stdio: twice, tool: 'a' })).error?.message).toContain(
    'has the same key twice in a map',
  );
});

test('what is not a message is skipped and reported', async () => {
  const { act } = begin();
  const argv = program(
    'good(asked)',
    `console.log('Listening on \\x1b[32mstdio\\x1b[0m'); console.log('{"half":');`,
  );
  const greeting = await act({ stdio: argv });
  expect(greeting).toMatchObject({ isError: false, server: { name: 'program' } });
  expect(greeting.anomalies).toEqual([
    expect.stringContaining('a line on standard output is not a message: Listening on'),
    expect.stringContaining('it is not JSON: "{\\"half\\":"'),
  ]);
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ result: 'good', notifications: [] });
});

test('lines may be cut anywhere and end as on other systems', async () => {
  const { act } = begin();
  const argv = program(`
    const text = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { content: [{ type: 'text', text: 'grüße' }] } });
    const bytes = Buffer.from('\\r\\n' + text + '\\r\\n');
    const next = (at) => at < bytes.length && process.stdout.write(bytes.subarray(at, at + 1), () => next(at + 1));
    next(0);`);
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ result: 'grüße' });
});

test('much on standard error holds nothing up, and its end explains a failure', async () => {
  const { act } = begin();
  const argv = program(
    `process.stderr.write('x'.repeat(300_000) + 'the last words', () => process.exit(3));`,
  );
  const evidence = await act({ stdio: argv, tool: 'a' });
  expect(evidence.error).toEqual({
    kind: 'closed',
    message: expect.stringMatching(/ended with exit code 3$/),
  });
  // The word that was cut is not shown.
  expect(evidence.stderr).toBe('… last words');
});

test.each<[string, string, string, string]>([
  [
    'ends in the middle of a message',
    `process.stdout.write('{"jsonrpc":', () => process.exit(0))`,
    'closed',
    'in the middle',
  ],
  ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'closed', 'ended by SIGKILL'],
  [
    'closes its output',
    `require('node:fs').closeSync(1); process.exit(0)`,
    'closed',
    'ended with exit code 0',
  ],
  [
    'speaks as LSP does',
    `const text = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: {} });
     process.stdout.write('Content-Length: ' + text.length + '\\r\\n\\r\\n' + text)`,
    'garbage',
    'frames its messages with Content-Length headers',
  ],
  [
    'never ends its line',
    `const more = () => process.stdout.write('x'.repeat(1024 * 1024), more); more()`,
    'too-large',
    'more than 8388608 bytes',
  ],
])('a program that %s is reported', async (_, answer, kind, message) => {
  const { act } = begin();
  const evidence = await act({ stdio: program(answer), tool: 'a' });
  expect(evidence.error).toEqual({ kind, message: expect.stringContaining(message) });
  expect(evidence).toMatchObject({ isError: true, transport: 'stdio', server: { name: 'program' } });
});

test('a program that is reported as ended is started again by the next step', async () => {
  const { act } = begin();
  const argv = program(`if (asked.params.name === 'die') process.exit(1); good(asked);`);
  expect((await act({ stdio: argv, tool: 'die' })).error?.kind).toBe('closed');
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ result: 'good' });
});

test('an error that names no request is for the only one that waits', async () => {
  const { act } = begin();
  const argv = program(
    `print({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })`,
  );
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ isError: true, rpcError: { code: -32700 } });
});

test('a program that does not read or answer is abandoned in time, and that is reported', async () => {
  const { act } = begin();
  const silent = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
  const { error } = await act({ stdio: silent, tool: 'a' }, { timeoutMs: 400 });
  expect(error).toEqual({ kind: 'timeout', message: 'initialize was not answered within 400 ms' });
  const deaf = program('process.stdin.pause()');
  const args = { text: 'x'.repeat(1024 * 1024) };
  const late = await act({ stdio: deaf, tool: 'a', args }, { timeoutMs: 1_500 });
  expect(late.error).toEqual({ kind: 'timeout', message: 'tools/call was not answered within 1500 ms' });
});

test.each([
  [['no-such-program-anywhere'], 'was not found on PATH'],
  [[], 'there is no program to start'],
  [['a\0b'], 'contains a NUL'],
])('%j cannot be started', async (argv, message) => {
  const { act } = begin();
  expect((await act({ stdio: argv, tool: 'a' })).error).toEqual({
    kind: 'not-started',
    message: expect.stringContaining(message),
  });
});

test('the program and what it started end with the attempt, even against their will', async () => {
  const { act, end, folder } = begin();
  const argv = program(
    'good(asked)',
    `process.on('SIGTERM', () => {}); process.stdin.on('end', () => {}); setInterval(() => {}, 1000);
     const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
     writeFileSync('pids', process.pid + ' ' + child.pid);`,
  );
  expect(await act({ stdio: argv, tool: 'a' })).toMatchObject({ result: 'good' });
  const pids = readFileSync(path.join(folder, 'pids'), 'utf8').split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  expect(await end()).toEqual([]);
  await until(
    'both ended',
    5_000,
    () => pids.map(isAlive),
    (alive) => !alive.includes(true),
  );
});

test('a polite program gets the time to end by itself', async () => {
  const { act, end, folder } = begin();
  const argv = program('good(asked)', `process.stdin.on('end', () => writeFileSync('goodbye', ''));`);
  await act({ stdio: argv, tool: 'a' });
  await end();
  expect(existsSync(path.join(folder, 'goodbye'))).toBe(true);
});

test('a program that does not care for the end of its input is asked once more', async () => {
  const { act, end, folder } = begin();
  const argv = program(
    'good(asked)',
    `setInterval(() => {}, 1000);
     process.on('SIGTERM', () => { writeFileSync('goodbye', ''); process.exit(); });`,
  );
  await act({ stdio: argv, tool: 'a' });
  await end();
  expect(existsSync(path.join(folder, 'goodbye'))).toBe(true);
});

test('what a program leaves behind ends with it', async () => {
  const { act, end, folder } = begin();
  const argv = program(
    'good(asked)',
    `const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
     child.unref();
     writeFileSync('pid', String(child.pid));`,
  );
  await act({ stdio: argv, tool: 'a' });
  const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'));
  expect(isAlive(pid)).toBe(true);
  await end();
  await until(
    'it ended',
    5_000,
    () => isAlive(pid),
    (alive) => !alive,
  );
});

test('a program that cannot be announced does not run', async () => {
  const { act, folder } = begin();
  const argv = program(
    'good(asked)',
    `writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`,
  );
  const evidence = await act(
    { stdio: argv, tool: 'a' },
    { started: () => Promise.reject(new Error('no ledger')) },
  );
  expect(evidence.error).toEqual({ kind: 'not-started', message: expect.stringContaining('no ledger') });
  const file = path.join(folder, 'pid');
  if (existsSync(file)) expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
});
