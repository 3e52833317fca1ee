/** More events at once than a reader can consume: all of them arrive, in order, and the keeper stays small. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

/** Says how much memory its grandparent, the keeper, has taken at most: `VmHWM` in kilobytes. */
const service = `import http from 'node:http';
import { readFileSync } from 'node:fs';
const answer = JSON.stringify({ filler: 'x'.repeat(Number(process.env.BYTES)) });
http.createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url !== '/keeper') return response.setHeader('content-type', 'application/json').end(answer);
    response.end(/VmHWM:\\s+(\\d+)/.exec(readFileSync(\`/proc/\${process.ppid}/status\`, 'utf8'))[1]);
  });
}).listen(Number(process.env.PORT), '127.0.0.1').keepAliveTimeout = 120_000;
`;

/** The long command asks for more. */
const kilobytes = Number(process.env.SHAKEDOWN_BURST_KB ?? 200);

const config = `services:
  talker: { run: [node, talker.mjs], listen: { env: PORT }, env: { BYTES: "${kilobytes}000" } }`;

const trial = (burst: number) => `timeout: 180s
steps:
  - { http: GET talker/, burst: ${burst}, within: 60s, as: all }
  - { http: GET talker/keeper, as: keeper }
checks:
  all: { calls: outside -> talker, where: { path: "/" }, count: ${burst} }
  keeper: { exchange: keeper, expect: { text: { $regex: '^[1-3]?[0-9]{5}$' } } }`;

test(`400 answers of ${kilobytes} KB in one burst are all seen`, async () => {
  const project = trialsProject(config, { loud: trial(400) }, { 'talker.mjs': service });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
}, 180_000);
