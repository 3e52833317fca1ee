/** A run with green and red trials of every kind of step and check that needs no program from outside: evidence to be damaged. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../harness/project-files.ts';
import { runCommand } from '../harness/run-command.ts';

const desk = `import { appendFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
let count = 0;
http
  .createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here');
    let body = '';
    for await (const chunk of request) body += chunk;
    const text = searchParams.get('text') ?? '';
    if (pathname === '/note') {
      console.log(text.startsWith('ERROR') ? text : 'INFO noted ' + text);
      appendFileSync(process.env.DIR + '/notes.jsonl', JSON.stringify({ text }) + '\\n');
      writeFileSync(process.env.DIR + '/last.txt', text);
      await fetch(process.env.SHELF + '/put?' + text);
    }
    if (pathname === '/count') count += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ path: pathname, text, count, long: 'x'.repeat(pathname === '/long' ? 9000 : 1), got: body }));
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

const tools = `import { createServer } from 'node:http';
createServer(async (request, response) => {
  const { id, method, params } = JSON.parse((await request.toArray()).join('') || '{}');
  if (id === undefined) return response.writeHead(202).end();
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'adds', version: '1' } },
    'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: String(params?.arguments?.a + params?.arguments?.b) }] },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}).listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const config = `name: every-kind
trials: "trials/**"
settle: 50ms
isolation: shared
services:
  desk: { run: [node, desk.mjs], listen: { env: PORT }, env: { DIR: "\${self.dir}", SHELF: "\${shelf.url}" }, after: [shelf] }
  shelf: { run: [node, desk.mjs], listen: { env: PORT }, env: { DIR: "\${self.dir}", SHELF: "" } }
  line: { run: [node, line.mjs], listen: { env: PORT, scheme: tcp } }
  tools: { run: [node, tools.mjs], listen: { env: PORT } }
`;

/** By kind: what is done, and what is checked; each is performed as it is, and once with a check that fails. */
const kinds: Readonly<
  Record<string, { readonly steps: string; readonly good: string; readonly bad: string }>
> = {
  http: {
    steps: '[{ http: "GET desk/a", as: got, expect: { status: 200 } }]',
    good: '{ exchange: got, expect: { json: { path: /a } } }',
    bad: '{ exchange: got, expect: { json: { path: /b } } }',
  },
  long: {
    steps: '[{ http: "GET desk/long", as: got, expect: { status: 200 } }]',
    good: '{ exchange: got, expect: { json: { long: { $length: 9000 } } } }',
    bad: '{ exchange: got, expect: { json: { long: { $length: 9001 } } } }',
  },
  tcp: {
    steps: '[{ tcp: line, codec: newline-json, as: l }, { on: l, send: { n: 1 }, receive: 1, as: said }]',
    good: '{ exchange: said, expect: { received: [{ n: 1 }] } }',
    bad: '{ exchange: said, expect: { received: [{ n: 2 }] } }',
  },
  mcp: {
    steps: '[{ mcp: tools, tool: add, args: { a: 1, b: 2 }, as: sum }]',
    good: '{ exchange: sum, expect: { content: [{ text: "3" }] } }',
    bad: '{ exchange: sum, expect: { content: [{ text: "4" }] } }',
  },
  command: {
    steps: '[{ http: "GET desk/a" }, { command: [sh, -c, "echo out"], as: ran }]',
    good: '{ exchange: ran, expect: { exitCode: 0 } }',
    bad: '{ exchange: ran, expect: { exitCode: 1 } }',
  },
  files: {
    steps: '[{ http: "GET desk/note?text=a" }]',
    good: '{ files: desk, path: last.txt, as: text, expect: [{ text: a }] }',
    bad: '{ files: desk, path: last.txt, as: text, expect: [{ text: b }] }',
  },
  events: {
    steps: '[{ http: "GET desk/note?text=a" }]',
    good: '{ events: desk, file: notes.jsonl, expect: { $some: { text: a } }, within: 5s }',
    bad: '{ events: desk, file: notes.jsonl, expect: { $some: { text: b } }, within: 100ms }',
  },
  logs: {
    steps: '[{ http: "GET desk/note?text=a" }]',
    good: '{ logs: desk, match: noted, count: { $gte: 1 } }',
    bad: '{ logs: desk, match: noted, count: 7 }',
  },
  process: {
    steps: '[{ http: "GET desk/a" }]',
    good: '{ process: desk, throughout: true, expect: { running: true } }',
    bad: '{ process: desk, never: { running: true }, provenBy: http }',
  },
  calls: {
    steps: '[{ http: "GET desk/note?text=a" }]',
    good: '{ calls: desk -> shelf, count: 1 }',
    bad: '{ calls: desk -> shelf, count: 0, provenBy: calls }',
  },
  changes: {
    steps: '[{ http: "GET desk/note?text=a" }]',
    good: '{ changes: [files], expect: { $contains: [{ path: notes.jsonl }] } }',
    bad: '{ changes: [files], expect: { $contains: [{ path: no.txt }] } }',
  },
};

/** What fails has an excuse, and something else fails, too, or would. */
const excused: Readonly<Record<string, string>> = {
  quarantined: `steps: [{ http: "GET desk/note?text=ERROR" }]
checks:
  known: { calls: desk -> shelf, count: 0, provenBy: calls }
  never: { files: desk, path: last.txt, as: text, never: { $some: { text: ERROR } }, provenBy: files }
`,
  foreseen: `expectedFailure: { because: ticket 7, checks: [known] }
steps: [{ http: "GET desk/note?text=ERROR" }]
checks:
  known: { calls: desk -> shelf, count: 0, provenBy: calls }
  never: { files: desk, path: last.txt, as: text, never: { $some: { text: ERROR } }, provenBy: files }
`,
  'only-quarantined': `steps: [{ http: "GET desk/note?text=a" }]
checks:
  known: { calls: desk -> shelf, count: 0, provenBy: calls }
  never: { files: desk, path: last.txt, as: text, never: { $some: { text: b } }, provenBy: files }
`,
  repeated: `attempts: 3
atLeast: { known: 1 }
steps: [{ http: "GET desk/count", as: got }]
checks:
  known: { exchange: got, expect: { status: 201 } }
  twice: { exchange: got, expect: { json: { count: { $lte: 2 } } } }
`,
  closed: `steps: [{ http: "GET desk/note?text=a" }]
checks:
  known: { files: desk, path: last.txt, as: text, expect: [{ text: a }] }
  order: { order: [{ calls: outside -> desk }, { calls: desk -> shelf }] }
  nothing-else: { changes: [files], only: [known] }
`,
};

const quarantine = `entries:
  - { trial: quarantined, check: known, owner: ada, reason: it races, until: 2999-01-01 }
  - { trial: only-quarantined, check: known, owner: ada, reason: it races, until: 2999-01-01 }
  - { trial: repeated, check: known, owner: ada, reason: it races, until: 2999-01-01 }
  - { trial: closed, check: known, owner: ada, reason: it races, until: 2999-01-01 }
`;

const flow = (id: string, wanted: string): string => `import { flow } from 'shakedown';
flow('${id}', { id: '${id}' }, async ({ http, check }) => {
  const got = await http('desk').get('/flow');
  check('path', got, { json: { path: '${wanted}' } });
});
`;

/** Gives the folder of the run. */
export async function performEveryKind(folder: string): Promise<string> {
  const trials = Object.entries(kinds).flatMap(([kind, { steps, good, bad }]) => [
    [`${kind}.trial.yaml`, `id: ${kind}\nsteps: ${steps}\nchecks: { holds: ${good} }\n`],
    [
      `${kind}-red.trial.yaml`,
      `id: ${kind}-red\nsteps: ${steps}\nchecks: { holds: ${good}, fails: ${bad} }\n`,
    ],
  ]);
  const files = {
    'shakedown.yaml': config,
    'desk.mjs': desk,
    'line.mjs': line,
    'tools.mjs': tools,
    'trials/error-line.trial.yaml':
      'id: error-line\nsteps: [{ http: "GET desk/note?text=ERROR", expect: { status: 200 } }]\n',
    'trials/step-red.trial.yaml': 'id: step-red\nsteps: [{ http: "GET desk/a", expect: { status: 404 } }]\n',
    'trials/flow.flow.ts': flow('flow', '/flow'),
    'trials/flow-red.flow.ts': flow('flow-red', '/other'),
    'shakedown/quarantine.yaml': quarantine,
    ...Object.fromEntries(
      Object.entries(excused).map(([id, text]) => [`trials/${id}.trial.yaml`, `id: ${id}\n${text}`]),
    ),
    ...Object.fromEntries(trials.map(([name, text]) => [`trials/${name}`, text])),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text ?? '');
  }
  const binary = path.join(projectFolder, 'bin/shakedown.js');
  const { code, output } = await runCommand([process.execPath, binary, 'run'], {
    cwd: folder,
    env: {},
    withinMs: 120_000,
  });
  if (code !== 1) throw new Error(`the run ended with ${code}:\n${output}`);
  return realpathSync(path.join(folder, '.shakedown/latest'));
}
