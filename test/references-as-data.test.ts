/** What a reference brings into a regular expression or a glob is data: it finds itself, and nothing else. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

/** Answers with odd values, prints and writes what it is asked to. */
const service = `import { createServer } from 'node:http';
import fs from 'node:fs';
createServer((request, response) => {
  const [, verb, ...rest] = decodeURIComponent(request.url).split('/');
  const text = rest.join('/');
  if (verb === 'print') console.log(text);
  if (verb === 'write') fs.writeFileSync(process.env.DIR + '/' + text, '{"a":1}\\n');
  const json = { token: 'q8+Zk/1==', name: 'a.b', file: 'report[1].jsonl', empty: '', said: 'your token is q8+Zk/1==' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}).listen(process.env.PORT, '127.0.0.1');
`;

const config = `isolation: shared
services:
  odd: { run: [node, odd.mjs], listen: { env: PORT }, env: { DIR: "\${self.dir}" }, ready: { http: / } }`;

const step = (path: string, as = 'got') =>
  `{ http: "GET odd/${encodeURI(path)}", as: ${as}, expect: { status: 200 } }`;

test('in expressions and globs, of checks and of conditions', async () => {
  const project = trialsProject(
    config,
    {
      printed: `steps: [${step('print/token=q8+Zk')}]
checks: { logged: { logs: odd, match: "token", count: 1 } }`,
      leaked: `steps: [${step('print/q8+Zk/1==')}]
checks:
  not-logged: { logs: odd, match: "\${got.json.token}", count: 0, provenBy: printed }
  not-said: { exchange: got, expect: { json: { said: { $not: { $regex: "\${got.json.token}" } } } } }`,
      other: `steps: [${step('print/stored axb')}]
checks: { stored: { logs: odd, match: "^stored \${got.json.name}$", count: 1 } }`,
      same: `cases: { name: { name: a.b, whole: "^stored a.b$" } }
steps: [${step('print/stored a.b')}]
checks:
  stored: { logs: odd, match: "^stored \${got.json.name}$", count: 1 }
  of-case: { logs: odd, match: "^stored \${case.name}$", count: 1 }
  pattern: { logs: odd, match: "\${case.whole}", count: 1 }`,
      'other-of-case': `cases: { name: { name: a.b, whole: "^stored a.b$" } }
steps: [${step('print/stored axb')}]
checks:
  of-case: { logs: odd, match: "^stored \${case.name}$", count: 1 }
  pattern: { logs: odd, match: "\${case.whole}", count: 1 }`,
      written: `steps: [${step('', 'first')}, ${step('write/report[1].jsonl')}]
checks:
  there: { files: odd, path: "\${first.json.file}", count: 1 }
  closed: { changes: [files], only: [there] }`,
      'not-written': `isolation: fresh
steps: [${step('', 'first')}, ${step('write/report1.jsonl')}]
checks: { there: { events: odd, file: "\${first.json.file}", count: 1 } }`,
    },
    { 'odd.mjs': service },
  );
  const { verdicts, trial } = await performTrials(project);
  expect(verdicts).toEqual({
    printed: 'passed',
    leaked: 'failed',
    other: 'failed',
    'same[name]': 'passed',
    'other-of-case[name]': 'failed',
    written: 'passed',
    'not-written': 'failed',
  });
  const failedIn = (id: string) =>
    trial(id).checks.flatMap((check) => (check.verdict === 'failed' ? [check.id] : []));
  expect(failedIn('leaked')).toEqual(['not-logged', 'not-said']);
  expect(failedIn('other-of-case[name]')).toEqual(['of-case']);
});

test('a part that is empty proves nothing', async () => {
  const project = trialsProject(
    config,
    {
      empty: `steps: [${step('')}, ${step('', 'again')}]
checks:
  part: { exchange: got, expect: { json: { said: { $contains: "\${got.json.empty}" } } } }
  end: { exchange: got, expect: { json: { said: { $endsWith: "\${got.json.empty}" } } } }
  line: { logs: odd, match: "\${got.json.empty}", count: { $gte: 1 } }
  equal: { exchange: again, expect: { json: { empty: "\${got.json.empty}" } } }`,
      step: `steps:
  - ${step('')}
  - { http: GET odd/, expect: { json: { said: { $startsWith: "\${got.json.empty}" } } } }`,
    },
    { 'odd.mjs': service },
  );
  const { code, verdicts, trial } = await performTrials(project);
  expect([code, verdicts]).toEqual([6, { empty: 'unknown', step: 'unknown' }]);
  const because = '${got.json.empty} is empty, and so is found in every text';
  const judged = trial('empty')
    .checks.slice(2, 6)
    .map(({ id, verdict, explanation }) => [id, verdict, explanation]);
  expect(judged).toEqual([
    ...['part', 'end', 'line'].map((id) => [id, 'unknown', because]),
    ['equal', 'passed', undefined],
  ]);
  expect(trial('step').cause?.text).toContain(because);
});

test('in the conditions of a script', async () => {
  const project = trialsProject(
    `isolation: shared
resources: { bank: { kind: http, because: it is another company } }
services:
  shop: { run: [node, shop.mjs], listen: { env: PORT }, env: { BANK_URL: "\${bank.url}" }, ready: { http: / } }`,
    {
      early: `cases: { a.b: { n: 1 } }
peers: { bank: [{ on: POST /pay, where: { text: { $regex: "^\${trial.id}$" } }, answer: { json: { $regex: "\${trial.id}" } } }] }
steps: [{ http: POST shop/, text: "\${trial.id}", as: paid, expect: { status: 200, json: { $eq: { $regex: "\${trial.id}" } } } }]`,
      late: `peers: { bank: [{ on: POST /pay, where: { text: { $regex: "^\${first.text} pays$" } } }] }
steps: [{ http: POST shop/echo, text: "a+b", as: first }, { http: POST shop/, text: a+b pays, expect: { status: 200 } }]`,
    },
    {
      'shop.mjs': `import { createServer } from 'node:http';
createServer(async (request, response) => {
  if (request.url === '/echo') return request.pipe(response);
  if (request.method === 'GET') return response.end('ok');
  const paid = await fetch(process.env.BANK_URL + '/pay', { method: 'POST', body: await new Response(request).text() });
  response.writeHead(paid.status, { 'content-type': 'application/json' }).end(await paid.text());
}).listen(process.env.PORT, '127.0.0.1');
`,
    },
  );
  const { verdicts, text } = await performTrials(project);
  expect(verdicts, text).toEqual({ 'early[a.b]': 'passed', late: 'passed' });
});
