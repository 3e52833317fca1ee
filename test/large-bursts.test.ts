/** More events at once than anybody can hear at once: all of them arrive, in their order, and the keeper stays small. */
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

const config = `services:
  talker: { run: [node, talker.mjs], listen: { env: PORT }, env: { BYTES: "200000" } }`;

const trial = (burst: number, times: number) => `timeout: 180s
steps:
${Array.from({ length: times }, (_, index) => `  - { http: GET talker/, burst: ${burst}, within: 60s, as: all${index} }`).join('\n')}
  - { http: GET talker/keeper, as: keeper }
checks:
  all: { calls: outside -> talker, where: { path: "/" }, count: ${burst * times} }
  keeper: { exchange: keeper, expect: { text: { $regex: '^[1-3]?[0-9]{5}$' } } }`;

/** The long command asks for more. */
const times = Number(process.env.SHAKEDOWN_BURSTS ?? 1);

test(`${times} times 400 answers of 200 KB in one burst are all seen`, async () => {
  const project = trialsProject(config, { loud: trial(400, times) }, { 'talker.mjs': service });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
}, 180_000);
