/** A folder that containers and processes share: one mounts it, the other has its path. */
import { expect, test } from 'vitest';
import { nodeImage } from './harness/container-image.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const box = `const fs = require('fs');
require('http').createServer((request, response) => {
  fs.mkdirSync('/in/seeds/deep', { recursive: true });
  fs.writeFileSync('/in/seeds/deep/boxed.txt', fs.readFileSync('/in/seeds/a.txt'));
  response.end(fs.readdirSync('/in').join());
}).listen(8000)`;

const serves = `require('http').createServer((request, response) => {
  require('fs').appendFileSync(process.env.INBOX + '/plain.txt', 'x');
  response.end();
}).listen(process.env.PORT)`;

test('what a container writes a process finds, and each trial has what a job in a container left', async () => {
  const image = nodeImage();
  const system = `volumes: { inbox: {} }
jobs:
  seed:
    image: ${image}
    user: "1234:1234"
    command: [sh, -c, "mkdir /in/seeds && echo seed > /in/seeds/a.txt"]
    mounts: [{ volume: inbox, to: /in }]
services:
  box:
    image: ${image}
    user: "1234:1234"
    command: [node, -e, ${JSON.stringify(box)}]
    mounts: [{ volume: inbox, to: /in }]
    listen: 8000
    stop: { within: 1s }
  plain: { run: [node, -e, ${JSON.stringify(serves)}], env: { INBOX: "\${inbox.path}" }, listen: { env: PORT } }`;
  const trial = `steps:
  - { http: GET plain/, expect: { status: 200 } }
  - { http: GET box/, expect: { status: 200, text: "plain.txt,seeds" } }
checks:
  all: { files: inbox, as: text, expect: [
    { path: plain.txt, text: x }, { path: seeds/a.txt, text: "seed\\n" }, { path: seeds/deep/boxed.txt, text: "seed\\n" }] }`;
  const { text, verdicts } = await performTrials(trialsProject(system, { a: trial, b: trial }));
  expect(verdicts, text).toEqual({ a: 'passed', b: 'passed' });
}, 240_000);
