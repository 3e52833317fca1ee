/** A build that is interrupted: the layer that the engine is just making comes only afterwards, and goes, too. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { containersOf, imagesWith, shellImage } from './harness/container-image.ts';
import { makeProject } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, until } from './harness/until.ts';

const copies = 'COPY . .\nENV LATER=1\nRUN sleep 600\n';
const runs = 'RUN echo run > /run; sleep 600\n';

test.each([
  ['Ctrl-C', 'SIGINT', 'cli', copies],
  ['Ctrl-C', 'SIGINT', 'cli', runs],
  ['kill -9', 'SIGKILL', 'cli', copies],
  ['kill -9 of the keeper', 'SIGKILL', 'keeper', copies],
  ['kill -9 of the keeper', 'SIGKILL', 'keeper', runs],
] as const)('%s: no layer is left', async (_, signal, whom, step) => {
  const image = shellImage();
  const mark = randomUUID();
  const one = makeProject({
    'app/Dockerfile': `FROM ${image}\nWORKDIR /srv\nENV MARK=${mark}\n${step}`,
    'shakedown.yaml': 'name: cut\nservices: { box: { build: app } }\n',
  });
  // It takes seconds to copy.
  writeFileSync(path.join(one.folder, 'app/large'), Buffer.alloc(200 * 1024 * 1024));
  const up = startRunning(one, ['up']);
  await until('it is built', 60_000, () => imagesWith(mark).length, Boolean);
  if (step === runs) await until('it runs', 60_000, () => containersOf(image).length, Boolean);
  const { keeper } = JSON.parse((await one.run(['status', '--json'])).stdout);
  process.kill(whom === 'cli' ? Number(up.child.pid) : keeper.pid, signal);
  await up.ended;
  await until('nothing is left', 30_000, () => one.left(), isNothing);
  expect(imagesWith(mark)).toEqual([]);
  // The engine tells nobody when it is done.
  await pause(4_000);
  expect(imagesWith(mark)).toEqual([]);
  expect(containersOf(image)).toEqual([]);
});
