/** Numbers that JavaScript cannot represent: observed, compared, ordered, passed on and printed with all their digits. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flowText } from './flow/flow-project.ts';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

/** Answers with the text after `?`, as it is; writes it to files; sends back what it is sent. */
const till = `import http from 'node:http';
import { appendFileSync, writeFileSync } from 'node:fs';
http
  .createServer(async (request, response) => {
    const [pathname, query = ''] = request.url.split('?');
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('content-type', 'application/json');
    if (pathname === '/write') {
      for (const [name, text] of [['n.json', '{"n":' + query + '}'], ['n.yaml', 'n: ' + query]])
        writeFileSync(process.env.DIR + '/' + name, text);
      appendFileSync(process.env.DIR + '/n.jsonl', '{"n":' + query + '}\\n');
    }
    const text = JSON.stringify(pathname === '/echo' ? body : request.url);
    response.end('{"n":' + (query === '' ? 0 : query) + ',"raw":' + text + '}');
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const line = `import { createServer } from 'node:net';
createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => socket.write(bytes));
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const config = `isolation: shared
services:
  till: { run: [node, till.mjs], listen: { env: PORT }, env: { DIR: "\${self.dir}" } }
  line: { run: [node, line.mjs], listen: { env: PORT, scheme: tcp } }`;

const [odd, even] = ['9007199254740993', '9007199254740992'];
const fraction = '0.10000000000000000001';
const got = (n: string, wanted: string): string =>
  `steps: [{ http: "GET till/order?${n}", expect: { json: { n: ${wanted} } } }]`;

test('every digit counts in what is expected, and no digit is lost on the way', async () => {
  const project = tillProject();
  const { verdicts, trial, text } = await performTrials(project);
  const failed = [
    'not-above',
    'not-a-body',
    'not-a-fraction',
    'not-a-text',
    'not-even',
    'not-files',
    'not-headers',
    'not-null',
    'not-odd',
  ];
  const byName = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'passed');
  expect(Object.fromEntries(byName), text).toEqual({
    ...Object.fromEntries(failed.map((id) => [id, 'failed'])),
    'as-what': 'unknown',
  });
  const notFilled = `once it is filled in; allowed:`;
  expect(trial('not-a-body').cause?.text).toContain(`\`body\` is ${odd} ${notFilled} a body`);
  expect(trial('not-headers').cause?.text).toContain('`headers.a` is {');
  expect(trial('as-what').faults[0]?.text).toContain(`${notFilled} text, json, yaml`);
  expect(
    trial('not-files')
      .checks.slice(0, 3)
      .map(({ verdict }) => verdict),
  ).toEqual(['failed', 'failed', 'failed']);
  expect(trial('not-even').cause?.text).toContain(`expected ${even}, observed ${odd}`);
  expect(text).toContain(`expected ${even}`);
  const journal = path.join(project.folder, '.shakedown/latest/trials/carried/events.ndjson');
  expect(readFileSync(journal, 'utf8')).toContain(`"n":${odd}`);
  const again = await project.run(['judge', 'latest', '--json']);
  expect(JSON.parse(again.stdout).counts).toMatchObject({ failed: failed.length, unknown: 1 });
  const sabotaged = await project.run(['sabotage', 'latest', '--json']);
  expect(sabotaged.code, sabotaged.output).not.toBe(70);
  expect(sabotaged.stdout).toContain('"exitCode"');
});

function tillProject(): Project {
  return trialsProject(
    config,
    {
      same: got(odd, odd),
      'not-even': got(odd, even),
      'not-odd': got(even, odd),
      'not-null': got('1e999', 'null'),
      huge: got('1e999', '{ $gt: 1e998, $lt: 1.1e999, $type: number }'),
      'not-a-fraction': got(fraction, '0.1'),
      fraction: got(fraction, `{ $between: [0.1, 0.10000000000000000002], $eq: ${fraction} }`),
      above: got(odd, `{ $gt: ${even}, $lt: 9007199254740994, $type: integer }`),
      'not-above': got(odd, `{ $gt: ${odd} }`),
      'not-a-text': got(odd, `"${odd}"`),
      carried: `steps:
  - { http: "GET till/order?${odd}", as: order }
  - { http: "POST till/echo", json: { id: "\${order.json.n}", all: ["\${order.json}"] }, as: sent }
  - { http: "GET till/order/\${order.json.n}", as: path }
checks:
  sent: { exchange: sent, expect: { json: { raw: { $contains: '"id":${odd},' } } } }
  path: { exchange: path, expect: { json: { raw: "/order/${odd}" } } }
  tapped: { calls: outside -> till, where: { response: { json: { n: ${odd} } } }, count: 1 }
  not-tapped: { calls: outside -> till, where: { response: { json: { n: ${even} } } }, count: 0, provenBy: carried-even }`,
      'carried-even': `steps: [{ http: "GET till/order?${even}" }]
checks: { tapped: { calls: outside -> till, where: { response: { json: { n: ${even} } } }, count: 1 } }`,
      files: `steps: [{ http: "GET till/write?${odd}" }]
checks:
  json: { files: till, path: n.json, as: json, expect: [{ json: { n: ${odd} } }] }
  yaml: { files: till, path: n.yaml, as: yaml, expect: [{ yaml: { n: ${odd} } }] }
  events: { events: till, file: n.jsonl, expect: [{ n: ${odd} }] }`,
      'not-files': `steps: [{ http: "GET till/write?${odd}" }]
checks:
  json: { files: till, path: n.json, as: json, expect: [{ json: { n: ${even} } }] }
  yaml: { files: till, path: n.yaml, as: yaml, expect: [{ yaml: { n: ${even} } }] }
  events: { events: till, file: n.jsonl, expect: [{ n: ${even} }] }`,
      'as-texts': `steps:
  - { http: "GET till/order?${odd}", as: order }
  - { http: POST till/echo, text: "\${order.json.n}", expect: { json: { raw: "${odd}" } } }
  - { http: POST till/echo, multipart: [{ name: id, text: "\${order.json.n}", filename: "\${order.json.n}" }], expect: { json: { raw: { $contains: 'filename="${odd}"' } } } }
  - { command: [cat], stdin: "\${order.json.n}", expect: { stdout: "${odd}" } }
  - { command: [cat], stays: true, as: cat }
  - { on: cat, send: "\${order.json.n}", end: half, awaitExit: true, expect: { stdout: "${odd}" } }`,
      'not-a-body': `steps: [{ http: "GET till/order?${odd}", as: order }, { http: POST till/echo, body: "\${order.json.n}" }]`,
      'not-headers': `steps: [{ http: "GET till/order?${odd}", as: order }, { http: POST till/echo, headers: { a: "\${order.json}" }, expect: { status: 200 } }]`,
      'as-what': `steps: [{ http: "GET till/order?${odd}", as: order, expect: { status: 200 } }]
checks: { file: { files: till, as: "\${order.json}", count: 3 } }`,
      talks: `steps: [{ tcp: line, codec: newline-json, as: l }, { on: l, send: { n: ${odd}, f: ${fraction} }, receive: 1, expect: { received: [{ n: ${odd}, f: ${fraction} }] } }]`,
    },
    {
      'till.mjs': till,
      'line.mjs': line,
      'trials/n.flow.ts': `import { flow } from 'shakedown';\n${flowText(
        'in-a-flow',
        `
  const order = await http('till').get('/order?[${odd},${even},1e999,${fraction},7]');
  const [odd, even, huge, fraction, seven] = order.json.n;
  check('kinds', [odd, even, huge, fraction, seven].map((one) => typeof one), ['bigint', 'bigint', 'string', 'string', 'number']);
  check('exact', [odd === ${odd}n, even === ${even}n, huge, fraction], [true, true, '1e999', '${fraction}']);
  check('evidence', order, { json: { n: [${odd}n, ${even}n, { $gt: 7 }, { $gt: 0.1, $lt: 0.2 }, 7] } });
  const sent = await http('till').post('/echo', { json: { n: odd + 2n } });
  check('sent', sent, { json: { raw: '{"n":9007199254740995}' } });
`,
      )}`,
    },
  );
}
