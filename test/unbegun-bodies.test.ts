/** A body of which nothing came before the consumer gave up does not prove that it had something else in it. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  s: { run: [node, s.mjs], listen: { env: PORT }, env: { P: "\${p.url}" } }
  p: { run: [node, p.mjs], listen: { env: PORT } }`;

/** Sends its head, and would send its body when the consumer is long gone. */
const provider = `import { createServer } from 'node:http';
createServer((request, response) => {
  request.resume();
  if (request.url === '/whole') return response.setHeader('content-type', 'application/json').end('{"err":1}');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 9 });
  response.flushHeaders();
}).listen(process.env.PORT, '127.0.0.1');
`;
/** Gives up once the head is there; /half also leaves its own body out. */
const service = `import { createServer, request as ask } from 'node:http';
createServer(async ({ url }, answer) => {
  const head = { 'content-type': 'application/json', 'content-length': 9 };
  const out = url === '/whole'
    ? ask(process.env.P + url, { method: 'POST', headers: head }).end('{"err":1}')
    : url === '/half'
    ? ask(process.env.P + url, { method: 'POST', headers: head })
    : ask(process.env.P + url, { method: 'POST' });
  out.on('response', (response) => {
    if (url === '/whole') return response.resume().on('end', () => answer.end());
    out.destroy();
    answer.end();
  });
  out.on('error', () => undefined);
  if (url === '/half') out.flushHeaders();
  else if (url !== '/whole') out.end();
}).listen(process.env.PORT, '127.0.0.1');
`;

const absent = (path: string, side: string, by = ''): string => `steps:
  - { http: POST s${path}, expect: { status: 200 } }
checks:
  c: { calls: s -> p, where: { ${side}: { json: { err: 1 } }${by} }, count: 0, provenBy: shows-${side} }`;
const shows = (side: string): string => `steps:
  - { http: POST s/whole, expect: { status: 200 } }
checks: { c: { calls: s -> p, where: { ${side}: { json: { err: 1 } } }, count: 1 } }`;

test('a call whose body was given up before its first byte leaves an absence unknown', async () => {
  const project = trialsProject(
    config,
    {
      'shows-response': shows('response'),
      'shows-request': shows('request'),
      response: absent('/early', 'response'),
      request: absent('/half', 'request'),
      named: absent('/early', 'response', ', incomplete: cut'),
    },
    { 's.mjs': service, 'p.mjs': provider },
  );
  const { verdicts, text } = await performTrials(project);
  expect(verdicts, text).toEqual({
    ...{ 'shows-response': 'passed', 'shows-request': 'passed' },
    ...{ response: 'unknown', request: 'unknown', named: 'passed' },
  });
  expect(text).toMatch(/a body of call \d+ s -> p did not pass to its end/);
}, 60_000);
