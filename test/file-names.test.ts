/** Names of files are bytes: with line ends, or in no known encoding, they are seen, distinguished and matched. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

/** Six names in a folder of its own; the third and the fifth are not UTF-8, and the last looks like the third as it is shown. */
const writes = `import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
const names = ['plain.txt', 'two\\nlines.txt', 'a\\xff.txt', 'größe.txt', '\\xfe\\xff\\\\\\n.txt', 'a\\\\xff.txt'];
http
  .createServer((request, response) => {
    mkdirSync(process.env.DIR + '/kept', { recursive: true });
    for (const [index, name] of names.entries()) {
      const bytes = name === 'größe.txt' ? Buffer.from(name) : Buffer.from(name, 'latin1');
      writeFileSync(Buffer.concat([Buffer.from(process.env.DIR + '/kept/'), bytes]), 'number ' + (index + 1));
    }
    response.end('{}');
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const config = `isolation: shared
services:
  web: { run: [node, writes.mjs], listen: { env: PORT }, env: { DIR: "\${self.dir}" } }`;

const shown = [
  '"kept/\\\\xfe\\\\xff\\\\x5c\\n.txt", text: number 5',
  '"kept/a\\\\x5cxff.txt", text: number 6',
  '"kept/a\\\\xff.txt", text: number 3',
  '"kept/größe.txt", text: number 4',
  '"kept/plain.txt", text: number 1',
  '"kept/two\\nlines.txt", text: number 2',
];

test('files and changes show all six, each by a name that no other has', async () => {
  const steps = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
  const project = trialsProject(
    config,
    {
      '1-changed': `${steps}
checks:
  changed: { changes: [files], expect: [${shown.map((one) => `{ path: ${one.replace(/, text.*/, '')}, op: created }`).join(', ')}] }`,
      '2-seen': `${steps}
checks:
  all: { files: web, path: kept/**, as: text, expect: [${shown.map((one) => `{ path: ${one} }`).join(', ')}] }
  by-ending: { files: web, path: "kept/*.txt", count: 6 }
  by-where: { files: web, as: text, where: { path: 'kept/a\\xff.txt' }, expect: [{ text: number 3 }] }
  by-path: { files: web, as: text, path: 'kept/a\\\\xff.txt', expect: [{ text: number 3 }] }`,
    },
    { 'writes.mjs': writes },
  );
  const { code, text } = await performTrials(project);
  expect(code, text).toBe(0);
});
